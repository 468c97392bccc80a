import type { OrNull, Row, Shape, Stored, StoredValue } from '../base/stored.ts';
import { EngineFault } from './fault.ts';

/** Turns the values of a row, in column order, into an object of a shape. */
export class RowReader<S extends Shape> {
  readonly keys: readonly string[];
  /** True if the driver must return integers as bigints. */
  readonly wide: boolean;
  readonly #columns: readonly { readonly key: string; readonly type: Stored<unknown>; readonly nullable: boolean }[];

  constructor(shape: S) {
    this.keys = Object.keys(shape);
    this.#columns = Object.entries(shape).map(([key, column]) =>
      isOrNull(column) ? { key, type: column.orNull, nullable: true } : { key, type: column, nullable: false },
    );
    this.wide = this.#columns.some((column) => column.type.wide === true);
  }

  /**
   * The same as an array in the order of the shape. It converts the driver's array in place, which nobody else uses.
   */
  values(stored: readonly StoredValue[]): unknown[] {
    const row = stored as unknown[];
    for (let at = 0; at < row.length; at++) row[at] = this.#value(at, stored[at] ?? null);
    return row;
  }

  read(values: readonly StoredValue[]): Row<S> {
    const row: Record<string, unknown> = {};
    let index = 0;
    for (const { key } of this.#columns) {
      row[key] = this.#value(index, values[index] ?? null);
      index++;
    }
    // The loop has set each key of the shape to the value converted by its own type.
    return row as Row<S>;
  }

  #value(index: number, value: StoredValue): unknown {
    const column = this.#columns[index];
    if (column === undefined) return null;
    const { key, type, nullable } = column;
    if (value === null) {
      if (!nullable) throw new EngineFault(`The column "${key}" is NULL where the shape of the query allows none.`);
      return null;
    }
    if (type.wide === true) {
      return type.fromStore(typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value);
    }
    return type.fromStore(typeof value === 'bigint' ? Number(value) : value);
  }

  /**
   * Refuses a query whose columns are not the shape's keys, in order: otherwise the values would get the wrong names.
   */
  checkColumns(names: readonly string[], statement: string): void {
    if (names.length === this.keys.length && names.every((name, index) => name === this.keys[index])) return;
    throw new EngineFault(`A query yields the columns ${names.join(', ')} but its shape is ${this.keys.join(', ')}.`, {
      statement,
    });
  }
}

function isOrNull(column: Stored<unknown> | OrNull<Stored<unknown>>): column is OrNull<Stored<unknown>> {
  return 'orNull' in column;
}

const readers = new WeakMap<Shape, RowReader<Shape>>();

/** The reader of a shape, created once: shapes are module constants. */
export function readerOf<S extends Shape>(shape: S): RowReader<S> {
  let reader = readers.get(shape);
  if (reader === undefined) {
    reader = new RowReader(shape);
    readers.set(shape, reader);
  }
  // The map is keyed by the shape itself, so the reader stored under S was created from S.
  return reader as RowReader<S>;
}
