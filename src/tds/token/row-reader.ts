import type { ByteReader } from '../byte-reader.ts';
import { noSubject, type Subject } from '../stream-error.ts';
import type { Dialect } from '../version.ts';
import type { ColumnInfo } from './col-metadata.ts';

/** Reads the values of ROW and NBCROW for a set of columns. */
export class RowReader {
  readonly #cells: readonly ((bytes: ByteReader) => unknown)[];
  readonly #subjects: readonly Subject[];
  /** Copying it is faster than growing an array. */
  readonly #blank: unknown[];

  constructor(columns: readonly ColumnInfo[], dialect: Dialect) {
    this.#cells = columns.map(({ type }) => {
      const { long } = type;
      if (long?.applies(dialect)) return (bytes) => long.readRow(bytes, dialect);
      return (bytes) => type.read(bytes, dialect);
    });
    this.#blank = columns.map(() => null);
    this.#subjects = columns.map(({ name }, index) => ({ ordinal: index + 1, name }));
  }

  readRow(bytes: ByteReader): unknown[] {
    return this.#read(bytes, undefined);
  }

  readCompressedRow(bytes: ByteReader): unknown[] {
    return this.#read(bytes, bytes.bytes(Math.ceil(this.#cells.length / 8)));
  }

  #read(bytes: ByteReader, nulls: Uint8Array | undefined): unknown[] {
    const values = this.#blank.slice();
    const cells = this.#cells;
    for (let index = 0; index < cells.length; index++) {
      const isNull = nulls !== undefined && ((nulls[index >>> 3] ?? 0) & (1 << (index & 7))) !== 0;
      bytes.subject = this.#subjects[index] ?? noSubject;
      values[index] = isNull ? null : cells[index]?.(bytes);
    }
    bytes.subject = noSubject;
    return values;
  }
}
