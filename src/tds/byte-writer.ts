const slabSize = 16 * 1024;
/** A slab with less than this left is not worth keeping. */
const scrap = 256;
const nothing = Buffer.alloc(0);
const viewOf = ({ buffer, byteOffset, byteLength }: Buffer) => new DataView(buffer, byteOffset, byteLength);
const viewOfNothing = viewOf(nothing);
/** Below this many characters a loop beats the call into the runtime (measured at 20 to 40). */
const shortText = 24;

/**
 * Collects bytes in a growing buffer. What `take` returns is never written again, so it may go to a socket without a
 * copy; the rest of the slab serves the next message.
 */
export class ByteWriter {
  #buffer: Buffer;
  /** The same bytes, for 64-bit numbers: the buffer's own methods take fifty times as long. */
  #view: DataView;
  #start = 0;
  #at = 0;

  constructor(initialSize = slabSize) {
    this.#buffer = Buffer.allocUnsafeSlow(initialSize);
    this.#view = viewOf(this.#buffer);
  }

  /** The bytes written since the last `take`. */
  get length(): number {
    return this.#at - this.#start;
  }

  #reserve(count: number): number {
    const at = this.#at;
    const end = at + count;
    if (end > this.#buffer.length) return this.#grow(count);
    this.#at = end;
    return at;
  }

  #grow(count: number): number {
    const used = this.length;
    const needed = used + count;
    const bigger = Buffer.allocUnsafeSlow(Math.max(needed * 2, slabSize));
    this.#buffer.copy(bigger, 0, this.#start, this.#at);
    this.#buffer = bigger;
    this.#view = viewOf(bigger);
    this.#start = 0;
    this.#at = needed;
    return used;
  }

  /** Returns what was written and continues behind it. */
  take(): Buffer {
    const taken = this.#buffer.subarray(this.#start, this.#at);
    const { length } = this.#buffer;
    // A slab that a large message needed is released with it, so that an idle connection holds little memory.
    const spent = length > 2 * slabSize || length - this.#at < scrap;
    if (spent) {
      this.#buffer = nothing;
      this.#view = viewOfNothing;
    }
    this.#start = spent ? 0 : this.#at;
    this.#at = this.#start;
    return taken;
  }

  /** What was written, without taking it; valid until the next write. */
  view(): Buffer {
    return this.#buffer.subarray(this.#start, this.#at);
  }

  /** Removes bytes from the middle and moves up those that follow. */
  cut(from: number, count: number): void {
    const at = this.#start + from;
    this.#buffer.copyWithin(at, at + count, this.#at);
    this.#at -= count;
  }

  /** Discards what was written since the length was `length`. */
  truncate(length: number): void {
    this.#at = this.#start + length;
  }

  u8(value: number): void {
    const at = this.#reserve(1);
    this.#buffer[at] = value;
  }

  i8(value: number): void {
    this.u8(value);
  }

  u16(value: number): void {
    const at = this.#reserve(2);
    const buffer = this.#buffer;
    buffer[at] = value;
    buffer[at + 1] = value >>> 8;
  }

  i16(value: number): void {
    this.u16(value);
  }

  u32(value: number): void {
    const at = this.#reserve(4);
    const buffer = this.#buffer;
    buffer[at] = value;
    buffer[at + 1] = value >>> 8;
    buffer[at + 2] = value >>> 16;
    buffer[at + 3] = value >>> 24;
  }

  i32(value: number): void {
    this.u32(value);
  }

  u64(value: bigint): void {
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, value, true);
  }

  i64(value: bigint): void {
    const at = this.#reserve(8);
    this.#view.setBigInt64(at, value, true);
  }

  /** A count or length below 2^53 as eight bytes, without a bigint. */
  u64Number(value: number): void {
    this.u32(value % 0x1_0000_0000);
    this.u32(Math.floor(value / 0x1_0000_0000));
  }

  u16be(value: number): void {
    this.u8(value >>> 8);
    this.u8(value);
  }

  i16be(value: number): void {
    this.u16be(value);
  }

  u32be(value: number): void {
    this.u16be(value >>> 16);
    this.u16be(value);
  }

  i32be(value: number): void {
    this.u32be(value);
  }

  u64be(value: bigint): void {
    const at = this.#reserve(8);
    this.#view.setBigUint64(at, value);
  }

  i64be(value: bigint): void {
    const at = this.#reserve(8);
    this.#view.setBigInt64(at, value);
  }

  /** An unsigned little-endian number of up to six bytes. */
  uint(value: number, size: number): void {
    const at = this.#reserve(size);
    this.#buffer.writeUIntLE(value, at, size);
  }

  f32(value: number): void {
    const at = this.#reserve(4);
    this.#buffer.writeFloatLE(value, at);
  }

  f64(value: number): void {
    const at = this.#reserve(8);
    this.#buffer.writeDoubleLE(value, at);
  }

  bytes(value: Uint8Array): void {
    const at = this.#reserve(value.length);
    this.#buffer.set(value, at);
  }

  /** Reserves space for bytes that are written later. */
  skip(count: number): void {
    this.#reserve(count);
  }

  /** Writes the same byte a number of times. */
  fill(byte: number, count: number): void {
    const at = this.#reserve(count);
    this.#buffer.fill(byte, at, at + count);
  }

  /** UTF-16LE text without a length. */
  ucs2(text: string): void {
    const count = text.length;
    const at = this.#reserve(count * 2);
    const buffer = this.#buffer;
    if (count > shortText) {
      buffer.write(text, at, 'utf16le');
      return;
    }
    for (let index = 0, to = at; index < count; index++) {
      const unit = text.charCodeAt(index);
      buffer[to++] = unit;
      buffer[to++] = unit >>> 8;
    }
  }

  /** Text preceded by its length in characters as 16 bits; longer text is truncated. */
  usVarchar(text: string): void {
    const cut = text.length > 0xffff ? text.slice(0, 0xffff) : text;
    this.u16(cut.length);
    this.ucs2(cut);
  }

  /** Text preceded by its length in characters as one byte; longer text is truncated. */
  bVarchar(text: string): void {
    const cut = text.length > 0xff ? text.slice(0, 0xff) : text;
    this.u8(cut.length);
    this.ucs2(cut);
  }

  /** Reserves a 16-bit number that `patchU16` fills in; returns its offset. */
  slotU16(): number {
    return this.#reserve(2) - this.#start;
  }

  slotU32(): number {
    return this.#reserve(4) - this.#start;
  }

  patchU16(slot: number, value: number): void {
    const at = this.#start + slot;
    this.#buffer[at] = value;
    this.#buffer[at + 1] = value >>> 8;
  }

  patchU32(slot: number, value: number): void {
    this.patchU16(slot, value);
    this.patchU16(slot + 2, value >>> 16);
  }

  /** Sets a 16-bit slot to the number of bytes written after it. */
  closeU16(slot: number): void {
    this.patchU16(slot, this.length - slot - 2);
  }

  closeU32(slot: number): void {
    this.patchU32(slot, this.length - slot - 4);
  }
}
