import { knownName } from './known-names.ts';
import { endedEarly, noSubject, type Subject } from './stream-error.ts';

/** Reads numbers, bytes and text from a buffer in order. Reading past the end is SQL error 4002, never a RangeError. */
export class ByteReader {
  readonly #buffer: Buffer;
  readonly #end: number;
  #at: number;
  /** The same bytes, for 64-bit numbers: faster than the buffer's own methods. */
  #view: DataView | undefined;
  /** What errors about the bytes being read name. */
  subject: Subject = noSubject;

  constructor(buffer: Uint8Array, start = 0, end = buffer.length) {
    this.#buffer = Buffer.isBuffer(buffer) ? buffer : Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    this.#end = Math.min(end, buffer.length);
    this.#at = Math.min(start, this.#end);
  }

  /** The offset of the next read. */
  get position(): number {
    return this.#at;
  }

  get remaining(): number {
    return this.#end - this.#at;
  }

  /** Claims bytes before anything is allocated for them, so that a false length costs nothing. */
  #take(count: number): number {
    const at = this.#at;
    const next = at + count;
    if (!(next >= at && next <= this.#end)) throw endedEarly();
    this.#at = next;
    return at;
  }

  get #numbers(): DataView {
    if (this.#view !== undefined) return this.#view;
    const { buffer, byteOffset, byteLength } = this.#buffer;
    this.#view = new DataView(buffer, byteOffset, byteLength);
    return this.#view;
  }

  /** Consumes these bytes if they come next. */
  accept(bytes: Buffer): boolean {
    const end = this.#at + bytes.length;
    if (end > this.#end || this.#buffer.compare(bytes, 0, bytes.length, this.#at, end) !== 0) return false;
    this.#at = end;
    return true;
  }

  /** Returns to an earlier position. */
  rewind(position: number): void {
    this.#at = Math.min(position, this.#at);
  }

  skip(count: number): void {
    this.#take(count);
  }

  /** The next byte, without consuming it. */
  peek(): number {
    if (this.#at >= this.#end) throw endedEarly();
    return this.#buffer.readUInt8(this.#at);
  }

  /** The next four bytes as a number, without consuming them. */
  peekU32(): number {
    if (this.remaining < 4) throw endedEarly();
    return this.#buffer.readUInt32LE(this.#at);
  }

  u8(): number {
    // The byte exists: it has been claimed.
    return this.#buffer[this.#take(1)] as number;
  }

  i8(): number {
    return this.#buffer.readInt8(this.#take(1));
  }

  u16(): number {
    return this.#buffer.readUInt16LE(this.#take(2));
  }

  i16(): number {
    return this.#buffer.readInt16LE(this.#take(2));
  }

  u32(): number {
    return this.#buffer.readUInt32LE(this.#take(4));
  }

  i32(): number {
    return this.#buffer.readInt32LE(this.#take(4));
  }

  u64(): bigint {
    return this.#numbers.getBigUint64(this.#take(8), true);
  }

  i64(): bigint {
    return this.#numbers.getBigInt64(this.#take(8), true);
  }

  u16be(): number {
    return this.#buffer.readUInt16BE(this.#take(2));
  }

  i16be(): number {
    return this.#buffer.readInt16BE(this.#take(2));
  }

  u32be(): number {
    return this.#buffer.readUInt32BE(this.#take(4));
  }

  i32be(): number {
    return this.#buffer.readInt32BE(this.#take(4));
  }

  u64be(): bigint {
    return this.#numbers.getBigUint64(this.#take(8));
  }

  i64be(): bigint {
    return this.#numbers.getBigInt64(this.#take(8));
  }

  /** An unsigned little-endian number of up to six bytes. */
  uint(size: number): number {
    return size === 0 ? 0 : this.#buffer.readUIntLE(this.#take(size), size);
  }

  f32(): number {
    return this.#buffer.readFloatLE(this.#take(4));
  }

  f64(): number {
    return this.#buffer.readDoubleLE(this.#take(8));
  }

  /** A view of the next bytes, not a copy. */
  bytes(count: number): Buffer {
    const at = this.#take(count);
    return this.#buffer.subarray(at, at + count);
  }

  /** Copies bytes to an offset of another buffer; a few bytes are copied without a call into the runtime. */
  copy(count: number, to: Buffer, at: number): void {
    const from = this.#take(count);
    if (count > 16) this.#buffer.copy(to, at, from, from + count);
    else for (let offset = 0; offset < count; offset++) to[at + offset] = this.#buffer[from + offset] ?? 0;
  }

  /** UTF-16LE text; the length is in characters. */
  ucs2(characters: number): string {
    const at = this.#take(characters * 2);
    return this.#buffer.toString('utf16le', at, at + characters * 2);
  }

  /** The same for a name, which has probably occurred before. */
  name(characters: number): string {
    const at = this.#take(characters * 2);
    return knownName(this.#buffer, at, characters);
  }

  /** Text preceded by its length in characters as a 16-bit number. */
  usVarchar(): string {
    return this.ucs2(this.u16());
  }

  /** Text preceded by its length in characters as one byte. */
  bVarchar(): string {
    return this.ucs2(this.u8());
  }

  /** A reader for the next bytes only, which this reader skips. */
  window(count: number): ByteReader {
    const at = this.#take(count);
    const inner = new ByteReader(this.#buffer, at, at + count);
    inner.subject = this.subject;
    return inner;
  }
}
