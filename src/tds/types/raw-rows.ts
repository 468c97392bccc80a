import type { AnyType } from './sql-type.ts';

/** The offset that means NULL. */
const nowhere = -1;
const nullLength = 0xffff;

/** Types whose values can be taken as raw bytes from a row. */
const plainNames: readonly string[] = ['int', 'smallint', 'tinyint', 'bigint', 'nvarchar', 'varbinary'];

/** Rows as raw bytes: the offset of each value, -1 for NULL, and its length. */
export class RawRows {
  readonly bytes: Buffer;
  readonly columns: number;
  readonly length: number;
  /** Offset and length of each value, row by row. */
  readonly places: Int32Array;

  constructor(bytes: Buffer, columns: number, length: number, places: Int32Array) {
    this.bytes = bytes;
    this.columns = columns;
    this.length = length;
    this.places = places;
  }

  /** A copy of the rows that remains valid when their sender reuses the buffer. */
  kept(): RawRows {
    return new RawRows(Buffer.from(this.bytes), this.columns, this.length, this.places);
  }
}

/** Finds rows of plain types in bytes. Other rows are left to a reader that reads value by value. */
export class RowScanner {
  readonly #lengthBytes: Uint8Array;
  readonly #sizes: Int32Array;
  readonly #isText: Uint8Array;
  #places = new Int32Array(4096);

  private constructor(types: readonly AnyType[]) {
    this.#lengthBytes = Uint8Array.from(types, ({ lengthBytes = 0 }) => lengthBytes);
    this.#sizes = Int32Array.from(types, ({ maxLength }) => maxLength);
    this.#isText = Uint8Array.from(types, ({ name }) => (name === 'nvarchar' ? 1 : 0));
  }

  /** A scanner for rows of these types; undefined if one of them is not plain. */
  static of(types: readonly AnyType[]): RowScanner | undefined {
    const isPlain = ({ name, lengthBytes }: AnyType) => lengthBytes !== undefined && plainNames.includes(name);
    return types.every(isPlain) ? new RowScanner(types) : undefined;
  }

  /** The complete rows, each preceded by its token, with which the bytes start; and the position after them. */
  scan(bytes: Buffer, start: number, end: number, token: number): { readonly rows: RawRows; readonly next: number } {
    const columns = this.#sizes.length;
    let length = 0;
    let next = start;
    while (next < end && bytes[next] === token) {
      const after = this.#row(bytes, next + 1, end, length * columns * 2);
      if (after < 0) break;
      next = after;
      length++;
    }
    const places = this.#places.slice(0, length * columns * 2);
    for (let at = 0; at < places.length; at += 2) {
      const begin = places[at] ?? nowhere;
      if (begin !== nowhere) places[at] = begin - start;
    }
    return { rows: new RawRows(bytes.subarray(start, next), columns, length, places), next };
  }

  /** Records the places of one row; returns its end, or -1 if it is incomplete or not plain. */
  #row(bytes: Buffer, start: number, end: number, first: number): number {
    const columns = this.#sizes.length;
    if (first + columns * 2 > this.#places.length) this.#grow();
    const places = this.#places;
    const lengthBytes = this.#lengthBytes;
    const sizes = this.#sizes;
    let at = start;
    let place = first;
    for (let column = 0; column < columns; column++) {
      const size = sizes[column] ?? 0;
      let length = size;
      if (lengthBytes[column] === 1) {
        if (at >= end) return -1;
        length = bytes[at++] ?? 0;
        if (length === 0) length = nowhere;
        else if (length !== size) return -1;
      } else if (lengthBytes[column] === 2) {
        if (at + 2 > end) return -1;
        length = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
        at += 2;
        if (length === nullLength) length = nowhere;
        else if (length > size || (this.#isText[column] === 1 && (length & 1) === 1)) return -1;
      }
      places[place] = length === nowhere ? nowhere : at;
      places[place + 1] = length === nowhere ? 0 : length;
      place += 2;
      if (length !== nowhere) at += length;
    }
    return at <= end ? at : -1;
  }

  #grow(): void {
    const larger = new Int32Array(this.#places.length * 2 + this.#sizes.length * 2);
    larger.set(this.#places);
    this.#places = larger;
  }
}
