import { fold } from '../../base/collation.ts';
import type { Bindable, StoredValue } from '../../base/stored.ts';
import { checkedText, toStored, wholeOrStored } from '../bind.ts';
import type { BoundRows, GivenRows, RowTaker } from '../db.ts';
import { quoted } from '../sql.ts';
import type { Connection } from './connection.ts';

/** Rows per statement, where that many are left: a row in a statement costs SQLite less than the statement itself. */
const rowsTogether = [16, 4, 1];
/** SQLite's limit of parameters per statement. */
const mostParameters = 32_000;

interface Insert {
  readonly rows: number;
  readonly text: string;
}

/**
 * Inserts many rows of the same columns into one table. Values go straight into the parameters of the next statement: an
 * array per row was garbage that cost half as much as SQLite's own work.
 */
export class RowInserts implements RowTaker {
  readonly #connection: Connection;
  readonly #columns: readonly string[];
  readonly #inserts: readonly Insert[];
  /** The values of the rows that are not inserted yet, as far as `#filled`. */
  readonly #values: StoredValue[];
  #filled = 0;
  /** The text that was read last, and where: a column and the key made of it read the same one. */
  #text = '';
  #textIn: Buffer | undefined;
  #textAt = 0;
  #textEnd = 0;

  constructor(connection: Connection, table: string, columns: readonly string[]) {
    const places = `(${columns.map(() => '?').join(', ')})`;
    const insert = `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values `;
    this.#connection = connection;
    this.#columns = columns;
    this.#inserts = rowsTogether
      .filter((rows) => rows === 1 || rows * columns.length <= mostParameters)
      .map((rows) => ({ rows, text: insert + Array(rows).fill(places).join(', ') }));
    this.#values = Array(columns.length * (this.#inserts[0]?.rows ?? 1)).fill(null);
  }

  add(rows: BoundRows | GivenRows): void {
    this.#filled = 0;
    if ('give' in rows) rows.give(this);
    else for (const row of rows) this.#take(row);
    this.#insertAll();
    // The bytes are their sender's again.
    this.#textIn = undefined;
  }

  #take(row: readonly Bindable[]): void {
    this.row();
    for (const value of row) this.value(value);
  }

  row(): void {
    if (this.#filled === this.#values.length) this.#insertAll();
  }

  /** Whole numbers stay numbers: a bigint costs more to make, and the columns for them make them whole again. */
  value(value: Bindable): void {
    this.#values[this.#filled++] = value === null ? null : wholeOrStored(value);
  }

  integer(value: number): void {
    this.#values[this.#filled++] = value;
  }

  bigint(bytes: Buffer, start: number): void {
    const value = bytes.readInt32LE(start + 4) * 2 ** 32 + bytes.readUInt32LE(start);
    this.#values[this.#filled++] = Number.isSafeInteger(value) ? value : bytes.readBigInt64LE(start);
  }

  utf16(bytes: Buffer, start: number, end: number): void {
    this.#values[this.#filled++] = this.#read(bytes, start, end);
  }

  folded(bytes: Buffer, start: number, end: number): void {
    this.#values[this.#filled++] = fold(this.#read(bytes, start, end));
  }

  #read(bytes: Buffer, start: number, end: number): string {
    if (this.#textIn !== bytes || this.#textAt !== start || this.#textEnd !== end) {
      this.#text = checkedText(bytes.toString('utf16le', start, end));
      this.#textIn = bytes;
      this.#textAt = start;
      this.#textEnd = end;
    }
    return this.#text;
  }

  /** Inserts the rows that are there, as many together as there are statements for. */
  #insertAll(): void {
    let at = 0;
    for (const { rows, text } of this.#inserts) {
      const size = rows * this.#columns.length;
      for (; at < this.#filled && this.#filled - at >= size; at += size) {
        const isAll = size === this.#values.length;
        // A journal keeps what it is given.
        const canReuse = isAll && this.#connection.journal.isLost;
        this.#insert(text, canReuse ? this.#values : this.#values.slice(at, at + size));
      }
    }
    this.#filled = 0;
  }

  #insert(text: string, values: readonly StoredValue[]): void {
    const width = this.#columns.length;
    try {
      this.#connection.run(text, values);
    } catch (error) {
      // The statement left nothing. One by one its rows say which of them it was, and its key.
      for (let at = 0; at < values.length; at += width) this.#insertOne(values.slice(at, at + width));
      throw error;
    }
  }

  #insertOne(row: readonly StoredValue[]): void {
    const stored = row.map(toStored);
    this.#connection.run(this.#inserts.at(-1)?.text ?? '', stored, (key) =>
      keyValues(key.map((column) => stored[this.#columns.indexOf(column)])),
    );
  }
}

/** The values of a key, unless one of them was not given or is bytes. */
export function keyValues(values: readonly (StoredValue | undefined)[]): string | undefined {
  const plain = values.every((value) => value !== undefined && !(value instanceof Uint8Array));
  return plain ? values.join(', ') : undefined;
}
