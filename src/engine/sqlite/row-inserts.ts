import type { Bindable, StoredValue } from '../../base/stored.ts';
import { toStored, wholeOrStored } from '../bind.ts';
import type { BoundRows } from '../db.ts';
import { quoted } from '../sql.ts';
import type { Connection } from './connection.ts';

/** Rows a statement: SQLite's work a row is less than the way into it. */
const rowsTogether = 16;
/** SQLite takes so many parameters a statement. */
const mostParameters = 32_000;

/** Inserts many rows of the same columns into one table. */
export class RowInserts {
  readonly #connection: Connection;
  readonly #columns: readonly string[];
  readonly #together: number;
  readonly #one: string;
  readonly #several: string;

  constructor(connection: Connection, table: string, columns: readonly string[]) {
    const places = `(${columns.map(() => '?').join(', ')})`;
    const insert = `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values `;
    this.#connection = connection;
    this.#columns = columns;
    this.#together = Math.max(1, Math.min(rowsTogether, Math.floor(mostParameters / Math.max(1, columns.length))));
    this.#one = insert + places;
    this.#several = insert + Array(this.#together).fill(places).join(', ');
  }

  add(rows: BoundRows): void {
    const count = rows.length - (rows.length % this.#together);
    for (let at = 0; at < count; at += this.#together) this.#addTogether(rows.slice(at, at + this.#together));
    for (let at = count; at < rows.length; at++) this.#addOne(rows[at] ?? []);
  }

  #addTogether(rows: BoundRows): void {
    try {
      this.#connection.run(this.#several, flat(rows));
    } catch (error) {
      // The statement left nothing; one by one they tell which row it was, and its key.
      for (const row of rows) this.#addOne(row);
      throw error;
    }
  }

  #addOne(row: readonly Bindable[]): void {
    const stored = row.map(toStored);
    this.#connection.run(this.#one, stored, (key) =>
      keyValues(key.map((column) => stored[this.#columns.indexOf(column)])),
    );
  }
}

/** The values of several rows; whole numbers stay numbers, since the columns for them make them whole again. */
function flat(rows: BoundRows): StoredValue[] {
  const values: StoredValue[] = [];
  for (const row of rows) {
    for (const value of row) values.push(wholeOrStored(value));
  }
  return values;
}

/** The values of a key, unless one of them was not given or is bytes. */
export function keyValues(values: readonly (StoredValue | undefined)[]): string | undefined {
  const plain = values.every((value) => value !== undefined && !(value instanceof Uint8Array));
  return plain ? values.join(', ') : undefined;
}
