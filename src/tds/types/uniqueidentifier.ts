import { sqlError } from '../../base/sql-error.ts';
import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { byteLengthType } from './byte-length-type.ts';
import type { SqlType } from './sql-type.ts';

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Where each pair of the text's digits stands on the wire: the first three groups are little-endian. */
function write(out: ByteWriter, value: string): void {
  out.u32(Number.parseInt(value.slice(0, 8), 16));
  out.u16(Number.parseInt(value.slice(9, 13), 16));
  out.u16(Number.parseInt(value.slice(14, 18), 16));
  out.u16be(Number.parseInt(value.slice(19, 23), 16));
  out.u16be(Number.parseInt(value.slice(24, 28), 16));
  out.u32be(Number.parseInt(value.slice(28, 36), 16));
}

function read(bytes: ByteReader): string {
  const first = bytes.u32().toString(16).padStart(8, '0');
  const second = bytes.u16().toString(16).padStart(4, '0');
  const third = bytes.u16().toString(16).padStart(4, '0');
  const rest = bytes.bytes(8).toString('hex');
  return `${first}-${second}-${third}-${rest.slice(0, 4)}-${rest.slice(4)}`;
}

/** A GUID. */
export const uniqueidentifier: SqlType<string> = byteLengthType(
  {
    name: 'uniqueidentifier',
    declaration: 'uniqueidentifier',
    maxLength: 16,
    precision: 0,
    scale: 0,
    info: [0x24, 16],
    variantByte: 0x24,
    check(value) {
      if (typeof value !== 'string' || !form.test(value)) throw sqlError(8169);
      return value.toLowerCase();
    },
    fromStore: (stored) => String(stored).toLowerCase(),
    toStore: (value) => value,
  },
  { size: 16, write, read },
);
