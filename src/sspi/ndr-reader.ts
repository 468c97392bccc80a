import { sidOfBytes } from '../base/windows-sid.ts';
import { refuse } from './negotiation.ts';

/** A string whose characters are stored elsewhere (RPC_UNICODE_STRING). */
interface PointedString {
  readonly isThere: boolean;
}

/** A group, by its relative identifier in a domain. */
interface Membership {
  readonly rid: number;
  readonly attributes: number;
}

const longestText = 1024;

/** Reads little-endian NDR, as far as a PAC needs it; refuses invalid data, and never goes back. */
export class NdrReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  skip(count: number): void {
    this.#at += count;
  }

  u32(): number {
    this.#align();
    this.#need(4);
    const value = this.#bytes.readUInt32LE(this.#at);
    this.#at += 4;
    return value;
  }

  /** The header of a string: two lengths and a pointer. */
  string(): PointedString {
    this.skip(4);
    return { isThere: this.u32() !== 0 };
  }

  /** The characters of a string whose header was read before. */
  textOf({ isThere }: PointedString): string {
    if (!isThere) return '';
    this.skip(8); // maximum count and offset
    const length = this.u32();
    if (length > longestText) return refuse('a name in a PAC is too long');
    this.#need(2 * length);
    const text = this.#bytes.toString('utf16le', this.#at, this.#at + 2 * length);
    this.#at += 2 * length;
    this.#align();
    return text;
  }

  /** A security identifier, preceded by the number of its parts. */
  sid(): string {
    const count = this.u32();
    const length = 8 + 4 * count;
    this.#need(length);
    const sid = sidOfBytes(this.#bytes.subarray(this.#at, this.#at + length));
    this.#at += length;
    return sid ?? refuse('a PAC has an invalid security identifier');
  }

  memberships(count: number): Membership[] {
    this.#list(count);
    return Array.from({ length: count }, () => ({ rid: this.u32(), attributes: this.u32() }));
  }

  sidsWithAttributes(count: number): { readonly sid: string; readonly attributes: number }[] {
    this.#list(count);
    const heads = Array.from({ length: count }, () => ({ isThere: this.u32() !== 0, attributes: this.u32() }));
    return heads.filter(({ isThere }) => isThere).map(({ attributes }) => ({ sid: this.sid(), attributes }));
  }

  /** The header of a list of pairs of numbers, which must have the stated length and be complete. */
  #list(count: number): void {
    if (this.u32() !== count) refuse('a list in a PAC has two different lengths');
    this.#need(8 * count);
  }

  #align(): void {
    this.#at = (this.#at + 3) & ~3;
  }

  #need(count: number): void {
    if (this.#at + count > this.#bytes.length) refuse('a PAC is truncated');
  }
}
