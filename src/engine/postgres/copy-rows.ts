import type { Bindable } from '../../base/stored.ts';
import { checkedText, toStored } from '../bind.ts';
import { EngineFault } from '../fault.ts';
import { copyDataHeader } from './copy-in.ts';

/** The types that columns have, by PostgreSQL's number of them. */
export const copyTypes: Readonly<Record<number, 'bigint' | 'text' | 'bytes' | 'double'>> = {
  17: 'bytes',
  20: 'bigint',
  25: 'text',
  701: 'double',
};

/** Bytes of a chunk; a value that is longer gets one of its own. */
const chunkSize = 128 * 1024;
const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/** Rows in PostgreSQL's binary form of COPY, in chunks that `CopyIn` sends. */
export class CopyRows {
  readonly #kinds: readonly (typeof copyTypes)[number][];
  #chunk: Buffer = Buffer.allocUnsafe(chunkSize);
  #at = copyDataHeader;
  #full: Buffer[] = [];

  constructor(kinds: readonly (typeof copyTypes)[number][]) {
    this.#kinds = kinds;
    this.#at += signature.copy(this.#chunk, this.#at);
  }

  /** The chunks that are full by now. */
  take(): Buffer[] {
    const full = this.#full;
    this.#full = [];
    return full;
  }

  /** Ends the copy: the last chunk is full as it is. */
  end(): void {
    this.#room(2);
    this.#at = this.#chunk.writeInt16BE(-1, this.#at);
    this.#close();
  }

  add(row: readonly Bindable[]): void {
    const kinds = this.#kinds;
    this.#room(2);
    this.#at = this.#chunk.writeInt16BE(kinds.length, this.#at);
    for (let index = 0; index < kinds.length; index++) this.#value(row[index] ?? null, kinds[index] ?? 'text');
  }

  #value(given: Bindable, kind: (typeof copyTypes)[number]): void {
    const value = typeof given === 'boolean' || given instanceof Date ? toStored(given) : given;
    if (value === null) {
      this.#room(4);
      this.#at = this.#chunk.writeInt32BE(-1, this.#at);
    } else if (typeof value === 'string' && kind === 'text') this.#text(checkedText(value));
    else if (typeof value === 'number' && kind === 'bigint') this.#integer(value);
    else if (typeof value === 'bigint' && kind === 'bigint') {
      this.#room(12);
      this.#at = this.#chunk.writeInt32BE(8, this.#at);
      this.#at = this.#chunk.writeBigInt64BE(value, this.#at);
    } else if (value instanceof Uint8Array && kind === 'bytes') {
      this.#room(4 + value.length);
      this.#at = this.#chunk.writeInt32BE(value.length, this.#at);
      this.#chunk.set(value, this.#at);
      this.#at += value.length;
    } else if (typeof value !== 'string' && !(value instanceof Uint8Array) && kind === 'double') {
      this.#room(12);
      this.#at = this.#chunk.writeInt32BE(8, this.#at);
      this.#at = this.#chunk.writeDoubleBE(Number(value), this.#at);
    } else throw new EngineFault(`A value of the type ${typeof value} was meant for a column of ${kind}.`);
  }

  #integer(value: number): void {
    if (!Number.isSafeInteger(value)) throw new EngineFault(`${value} was meant for a column of bigint.`);
    this.#room(12);
    const chunk = this.#chunk;
    const at = chunk.writeInt32BE(8, this.#at);
    chunk.writeInt32BE(Math.floor(value / 0x1_0000_0000), at);
    this.#at = chunk.writeInt32BE(value | 0, at + 4);
  }

  #text(value: string): void {
    // Three bytes a UTF-16 unit are the most that UTF-8 takes.
    this.#room(4 + value.length * 3);
    const length = this.#chunk.write(value, this.#at + 4, 'utf8');
    this.#chunk.writeInt32BE(length, this.#at);
    this.#at += 4 + length;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#chunk.length) return;
    if (this.#at > copyDataHeader) this.#close();
    if (this.#at + bytes > this.#chunk.length) this.#chunk = Buffer.allocUnsafe(copyDataHeader + bytes);
  }

  #close(): void {
    this.#full.push(this.#chunk.subarray(0, this.#at));
    this.#chunk = Buffer.allocUnsafe(chunkSize);
    this.#at = copyDataHeader;
  }
}
