import type { Bindable, StoredValue } from '../../../base/stored.ts';
import { fold } from '../../../base/text/collation.ts';
import { checkedText, toStored } from '../../bind.ts';
import type { BoundRows, GivenRows, RowTaker } from '../../db.ts';
import { EngineFault } from '../../fault.ts';
import { copyDataHeader } from './copy-in.ts';

/** The column types in use, by their OID in PostgreSQL. */
export const copyTypes: Readonly<Record<number, 'bigint' | 'text' | 'bytes' | 'double'>> = {
  17: 'bytes',
  20: 'bigint',
  25: 'text',
  701: 'double',
};

/** One of them. */
export type CopyType = (typeof copyTypes)[number];

/** Bytes in a chunk; a longer value gets a chunk of its own. */
const chunkSize = 128 * 1024;
const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/** The maximum size of a value other than text and bytes: its length and eight bytes. */
const plainSize = 12;

/**
 * Rows in PostgreSQL's binary COPY format, in chunks that `CopyIn` sends. There is always space for the fixed-size
 * values of a row, so only long ones have to check.
 */
export class CopyRows implements RowTaker {
  readonly #kinds: readonly CopyType[];
  readonly #plainRow: number;
  #chunk: Buffer = Buffer.alloc(0);
  #view: DataView = new DataView(this.#chunk.buffer);
  #at = 0;
  #full: Buffer[] = [];
  /** The column of the next value. */
  #column = 0;

  constructor(kinds: readonly CopyType[]) {
    this.#kinds = kinds;
    this.#plainRow = 4 + kinds.length * plainSize;
    this.#begin(0);
    this.#at += signature.copy(this.#chunk, this.#at);
  }

  /** The chunks that are full so far. */
  take(): Buffer[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** Ends the copy and emits the last chunk. */
  end(): void {
    this.#room(0);
    this.#view.setInt16(this.#at, -1);
    this.#at += 2;
    this.#close();
  }

  add(rows: BoundRows | GivenRows): void {
    if ('give' in rows) rows.give(this);
    else for (const row of rows) this.#add(row);
  }

  #add(row: readonly Bindable[]): void {
    this.row();
    for (let index = 0; index < this.#kinds.length; index++) this.value(row[index] ?? null);
  }

  row(): void {
    this.#room(0);
    this.#view.setInt16(this.#at, this.#kinds.length);
    this.#at += 2;
    this.#column = 0;
  }

  value(value: Bindable): void {
    const kind = this.#kinds[this.#column++] ?? 'text';
    if (value === null) {
      this.#view.setInt32(this.#at, -1);
      this.#at += 4;
    } else if (typeof value === 'number' && kind === 'bigint') this.#wide(value);
    else if (typeof value === 'string' && kind === 'text') this.#text(checkedText(value));
    else this.#other(typeof value === 'boolean' || value instanceof Date ? toStored(value) : value, kind);
  }

  integer(value: number): void {
    if (this.#kinds[this.#column] !== 'bigint') {
      this.value(value);
      return;
    }
    this.#column++;
    const view = this.#view;
    const at = this.#at;
    view.setInt32(at, 8);
    view.setInt32(at + 4, value < 0 ? -1 : 0);
    view.setInt32(at + 8, value);
    this.#at = at + plainSize;
  }

  bigint(bytes: Buffer, start: number): void {
    if (this.#kinds[this.#column] !== 'bigint') {
      this.value(bytes.readBigInt64LE(start));
      return;
    }
    this.#column++;
    const view = this.#view;
    const at = this.#at;
    view.setInt32(at, 8);
    view.setInt32(at + 4, bytes.readInt32LE(start + 4));
    view.setInt32(at + 8, bytes.readInt32LE(start));
    this.#at = at + plainSize;
  }

  /** Pure ASCII is copied byte by byte, which is faster than creating a string. */
  utf16(bytes: Buffer, start: number, end: number): void {
    this.#expectText();
    this.#room(((end - start) >> 1) * 3);
    const chunk = this.#chunk;
    let to = this.#at + 4;
    for (let at = start; at < end; at += 2) {
      const unit = bytes[at] ?? 0;
      if (bytes[at + 1] !== 0 || unit === 0 || unit > 0x7f) {
        this.#text(checkedText(bytes.toString('utf16le', start, end)));
        return;
      }
      chunk[to++] = unit;
    }
    this.#view.setInt32(this.#at, to - this.#at - 4);
    this.#at = to;
  }

  folded(bytes: Buffer, start: number, end: number): void {
    this.#expectText();
    this.#room(((end - start) >> 1) * 3);
    const chunk = this.#chunk;
    const begin = this.#at + 4;
    let to = begin;
    for (let at = start; at < end; at += 2) {
      const unit = bytes[at] ?? 0;
      if (bytes[at + 1] !== 0 || unit < 0x20 || unit > 0x7e) {
        this.#text(checkedText(fold(bytes.toString('utf16le', start, end))));
        return;
      }
      chunk[to++] = unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
    }
    while (to > begin && chunk[to - 1] === 0x20) to--;
    this.#view.setInt32(this.#at, to - begin);
    this.#at = to;
  }

  #expectText(): void {
    const kind = this.#kinds[this.#column++];
    if (kind !== 'text') throw new EngineFault(`A column of type ${kind} was given text.`);
  }

  #wide(value: number): void {
    const view = this.#view;
    const at = this.#at;
    view.setInt32(at, 8);
    view.setInt32(at + 8, value | 0);
    if ((value | 0) === value) view.setInt32(at + 4, value < 0 ? -1 : 0);
    else if (Number.isSafeInteger(value)) view.setInt32(at + 4, Math.floor(value / 0x1_0000_0000));
    else throw new EngineFault(`A column of type bigint was given ${value}.`);
    this.#at = at + plainSize;
  }

  #text(value: string): void {
    // UTF-8 takes at most three bytes per UTF-16 code unit.
    this.#room(value.length * 3);
    const length = this.#chunk.write(value, this.#at + 4, 'utf8');
    this.#view.setInt32(this.#at, length);
    this.#at += 4 + length;
  }

  #other(value: StoredValue, kind: CopyType): void {
    if (value instanceof Uint8Array && kind === 'bytes') {
      this.#room(value.length);
      this.#view.setInt32(this.#at, value.length);
      this.#chunk.set(value, this.#at + 4);
      this.#at += 4 + value.length;
      return;
    }
    if (typeof value === 'bigint' && kind === 'bigint') this.#view.setBigInt64(this.#at + 4, value);
    else if ((typeof value === 'number' || typeof value === 'bigint') && kind === 'double')
      this.#view.setFloat64(this.#at + 4, Number(value));
    else throw new EngineFault(`A column of type ${kind} was given a value of type ${typeof value}.`);
    this.#view.setInt32(this.#at, 8);
    this.#at += plainSize;
  }

  /** Ensures space for that many bytes besides the fixed-size values of a row. */
  #room(bytes: number): void {
    if (this.#at + bytes + this.#plainRow <= this.#chunk.length) return;
    if (this.#at > copyDataHeader) this.#close();
    if (this.#at + bytes + this.#plainRow > this.#chunk.length) this.#begin(bytes);
  }

  #close(): void {
    this.#full.push(this.#chunk.subarray(0, this.#at));
    this.#begin(0);
  }

  #begin(bytes: number): void {
    this.#chunk = Buffer.allocUnsafeSlow(Math.max(chunkSize, copyDataHeader + bytes + this.#plainRow));
    this.#view = new DataView(this.#chunk.buffer);
    this.#at = copyDataHeader;
  }
}
