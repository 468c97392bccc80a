import { sqlError } from '../../base/messages/sql-error.ts';
import { image } from './binary.ts';
import type { ByteStream } from './byte-stream.ts';
import { beginLongCell, maxBytes, writeLongNullCell } from './long-value.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';

/** Bytes in memory as a stream of one chunk. */
export const streamOf = (bytes: Uint8Array): ByteStream => ({
  length: bytes.length,
  async *chunks() {
    if (bytes.length > 0) yield bytes;
  },
});

const isByteStream = (value: unknown): value is ByteStream =>
  typeof value === 'object' &&
  value !== null &&
  'length' in value &&
  typeof value.length === 'number' &&
  'chunks' in value &&
  typeof value.chunks === 'function';

/** An image whose rows are sent piece by piece: `write` announces the length, `pieces` are the value. */
export const imageStream: SqlType<ByteStream> = {
  name: 'image',
  declaration: 'image',
  maxLength: 16,
  precision: 0,
  scale: 0,
  check(value) {
    if (!isByteStream(value)) throw mismatch(value, 'image');
    if (value.length > maxBytes) throw sqlError(8152);
    return value;
  },
  fromStore: (stored) => streamOf(image.fromStore(stored)),
  toStore: (value) => {
    throw mismatch(value, 'image');
  },
  writeInfo: image.writeInfo,
  write(out, value) {
    if (value === null) return writeLongNullCell(out);
    beginLongCell(out, value.length);
  },
  pieces: (value) => value,
  read(bytes, dialect) {
    const value = image.read(bytes, dialect);
    return value === null ? null : streamOf(value);
  },
  long: {
    applies: () => true,
    readRow(bytes, dialect) {
      const value = image.long?.readRow(bytes, dialect) ?? null;
      return value === null ? null : streamOf(value);
    },
    writeParam() {
      throw sqlError(8018, 0, '', '22');
    },
  },
};
