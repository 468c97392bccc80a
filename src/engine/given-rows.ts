import type { Bindable } from '../base/stored.ts';
import { fold } from '../base/text/collation.ts';
import type { BoundRows, GivenRows, RowTaker } from './db.ts';

/** Rows as arrays of values, for an engine that binds them. */
export function boundRows(rows: BoundRows | GivenRows): BoundRows {
  if (!('give' in rows)) return rows;
  const bound = new Rows();
  rows.give(bound);
  return bound.rows;
}

class Rows implements RowTaker {
  readonly rows: Bindable[][] = [];
  #row: Bindable[] = [];

  row(): void {
    this.#row = [];
    this.rows.push(this.#row);
  }

  value(value: Bindable): void {
    this.#row.push(value);
  }

  integer(value: number): void {
    this.#row.push(value);
  }

  bigint(bytes: Buffer, start: number): void {
    this.#row.push(bytes.readBigInt64LE(start));
  }

  utf16(bytes: Buffer, start: number, end: number): void {
    this.#row.push(bytes.toString('utf16le', start, end));
  }

  folded(bytes: Buffer, start: number, end: number): void {
    this.#row.push(fold(bytes.toString('utf16le', start, end)));
  }
}
