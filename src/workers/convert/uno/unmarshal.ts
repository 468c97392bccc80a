import { isSimple, newTypeFlag, notCached } from './type-class.ts';

/** A type as sent over the bridge. */
export interface NamedType {
  readonly kind: number;
  readonly name: string;
}

/** Values that the other side has sent once and refers to by index from then on. */
export interface Caches {
  readonly types: Map<number, NamedType>;
  readonly oids: Map<number, string>;
  readonly tids: Map<number, Buffer>;
}

/** Reads UNO values from one URP message. */
export class Unmarshal {
  readonly #message: Buffer;
  readonly #caches: Caches;
  #at = 0;

  constructor(message: Buffer, caches: Caches) {
    this.#message = message;
    this.#caches = caches;
  }

  byte(): number {
    return this.#message.readUInt8(this.#take(1));
  }

  u16(): number {
    return this.#message.readUInt16BE(this.#take(2));
  }

  i32(): number {
    return this.#message.readInt32BE(this.#take(4));
  }

  text(): string {
    return this.bytes().toString('utf8');
  }

  bytes(): Buffer {
    const length = this.#length();
    const from = this.#take(length);
    return this.#message.subarray(from, from + length);
  }

  type(): NamedType {
    const first = this.byte();
    const kind = first & ~newTypeFlag;
    if (isSimple(kind)) return { kind, name: '' };
    const place = this.u16();
    if ((first & newTypeFlag) === 0) return known(this.#caches.types, place);
    const type = { kind, name: this.text() };
    if (place !== notCached) this.#caches.types.set(place, type);
    return type;
  }

  /** The name of an object; empty for null. */
  oid(): string {
    const text = this.text();
    const place = this.u16();
    if (text === '') return place === notCached ? '' : known(this.#caches.oids, place);
    if (place !== notCached) this.#caches.oids.set(place, text);
    return text;
  }

  tid(): Buffer {
    const bytes = Buffer.from(this.bytes());
    const place = this.u16();
    if (bytes.length === 0) return known(this.#caches.tids, place);
    if (place !== notCached) this.#caches.tids.set(place, bytes);
    return bytes;
  }

  /** References to objects of one interface. */
  oids(): string[] {
    return Array.from({ length: this.#length() }, () => this.oid());
  }

  #length(): number {
    const short = this.byte();
    return short === 0xff ? this.i32() : short;
  }

  #take(count: number): number {
    const from = this.#at;
    if (count < 0 || from + count > this.#message.length) throw new Error('A message from LibreOffice is truncated.');
    this.#at += count;
    return from;
  }
}

function known<Value>(cache: ReadonlyMap<number, Value>, place: number): Value {
  const value = cache.get(place);
  if (value === undefined)
    throw new Error(`LibreOffice refers to a cache entry that it has not sent (index ${place}).`);
  return value;
}
