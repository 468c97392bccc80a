import type { OrNull, Row, Shape, Stored, StoredValue } from '../base/stored.ts';
import { EngineFault } from './fault.ts';

/** Turns the values of a row, in column order, into an object of a shape. */
export class RowReader<S extends Shape> {
  readonly keys: readonly string[];
  /** True when the driver must hand over integers as bigints. */
  readonly wide: boolean;
  readonly #columns: readonly { readonly key: string; readonly type: Stored<unknown>; readonly nullable: boolean }[];

  constructor(shape: S) {
    this.keys = Object.keys(shape);
    this.#columns = Object.entries(shape).map(([key, column]) =>
      isOrNull(column) ? { key, type: column.orNull, nullable: true } : { key, type: column, nullable: false },
    );
    this.wide = this.#columns.some((column) => column.type.wide === true);
  }

  read(values: readonly StoredValue[]): Row<S> {
    const row: Record<string, unknown> = {};
    let index = 0;
    for (const { key, type, nullable } of this.#columns) {
      const value = values[index++] ?? null;
      if (value === null) {
        if (!nullable) throw new EngineFault(`The column "${key}" is NULL where the shape of the query allows none.`);
        row[key] = null;
      } else if (type.wide === true) {
        row[key] = type.fromStore(typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value);
      } else {
        row[key] = type.fromStore(typeof value === 'bigint' ? Number(value) : value);
      }
    }
    // The loop has set each key of the shape to the value its own type made.
    return row as Row<S>;
  }

  /** Refuses a query whose columns are not the shape's keys, in order: the values would land under wrong names. */
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

/** The reader of a shape, made once: shapes are constants of their modules. */
export function readerOf<S extends Shape>(shape: S): RowReader<S> {
  let reader = readers.get(shape);
  if (reader === undefined) {
    reader = new RowReader(shape);
    readers.set(shape, reader);
  }
  // The map is keyed by the shape itself, so what it holds under S was made from S.
  return reader as RowReader<S>;
}
