import type { Bindable, StoredValue } from '../../../base/stored.ts';
import { fold } from '../../../base/text/collation.ts';
import { checkedText, toStored, wholeOrStored } from '../../bind.ts';
import type { BoundRows, GivenRows, RowTaker } from '../../db.ts';
import type { Connection } from '../connection.ts';
import { insertInto } from './insert-into.ts';

/**
 * The number of rows per statement, the largest that fits first: SQLite takes less time for a further row than for a
 * further statement.
 */
const rowsTogether = [16, 4, 1];
/** SQLite's limit of parameters per statement. */
const mostParameters = 32_000;

interface Insert {
  readonly rows: number;
  readonly text: string;
}

/**
 * Inserts many rows with the same columns into one table. Values go directly into the parameters of the next statement:
 * an array per row created garbage that cost half as much as SQLite's own work.
 */
export class RowInserts implements RowTaker {
  readonly #connection: Connection;
  readonly #columns: readonly string[];
  readonly #inserts: readonly Insert[];
  /** The values of the rows that have not been inserted yet, up to `#filled`. */
  readonly #values: StoredValue[];
  #filled = 0;
  /** The most recently decoded text and its position: a column and the key derived from it read the same text. */
  #text = '';
  #textIn: Buffer | undefined;
  #textAt = 0;
  #textEnd = 0;

  constructor(connection: Connection, table: string, columns: readonly string[]) {
    this.#connection = connection;
    this.#columns = columns;
    this.#inserts = rowsTogether
      .filter((rows) => rows === 1 || rows * columns.length <= mostParameters)
      .map((rows) => ({ rows, text: insertInto(table, columns, rows) }));
    this.#values = Array(columns.length * (this.#inserts[0]?.rows ?? 1)).fill(null);
  }

  add(rows: BoundRows | GivenRows): void {
    this.#filled = 0;
    if ('give' in rows) rows.give(this);
    else for (const row of rows) this.#take(row);
    this.#insertAll();
    // The sender may reuse the bytes.
    this.#textIn = undefined;
  }

  #take(row: readonly Bindable[]): void {
    this.row();
    for (const value of row) this.value(value);
  }

  row(): void {
    if (this.#filled === this.#values.length) this.#insertAll();
  }

  /** Integers are passed as numbers: a bigint costs more to create, and integer columns convert them anyway. */
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

  /** Inserts the pending rows, as many per statement as there are statements for. */
  #insertAll(): void {
    let at = 0;
    for (const { rows, text } of this.#inserts) {
      const size = rows * this.#columns.length;
      for (; at < this.#filled && this.#filled - at >= size; at += size) {
        const isAll = size === this.#values.length;
        // A journal keeps the array that it is given.
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
      // The failed statement changed nothing. Inserted one by one, the rows show which of them failed and its key.
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

/** The values of a key, unless one of them is missing or is bytes. */
export function keyValues(values: readonly (StoredValue | undefined)[]): string | undefined {
  const plain = values.every((value) => value !== undefined && !(value instanceof Uint8Array));
  return plain ? values.join(', ') : undefined;
}
