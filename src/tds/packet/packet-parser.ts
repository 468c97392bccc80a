import { decodeHeader, headerLength, maxPacketSize, type PacketType } from './header.ts';

/** A packet as it came in. */
export interface Packet {
  readonly type: PacketType;
  readonly status: number;
  readonly spid: number;
  readonly id: number;
  readonly payload: Buffer;
}

/** Finds the packets in a stream of chunks: `push` what came, then take packets with `next` until there is none. */
export class PacketParser {
  readonly #sizeLimit: number;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes that must be there before another look is worth it, so that a dripping client costs no copies. */
  #needed = headerLength;

  constructor(sizeLimit: number = maxPacketSize) {
    this.#sizeLimit = sizeLimit;
  }

  /** True while the start of a packet waits for its rest. */
  get hasPartial(): boolean {
    return this.#size > 0;
  }

  /** Forgets what has come of a packet. */
  drop(): void {
    this.#chunks = [];
    this.#size = 0;
    this.#needed = headerLength;
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /** The next whole packet; throws SqlError 4002 of severity 20 when the stream cannot be followed. */
  next(): Packet | undefined {
    if (this.#size < this.#needed) return undefined;
    const { type, status, length, spid, id } = decodeHeader(this.#front(headerLength), this.#sizeLimit);
    if (this.#size < length) {
      this.#needed = length;
      return undefined;
    }
    const front = this.#front(length);
    if (front.length === length) this.#chunks.shift();
    else this.#chunks[0] = front.subarray(length);
    this.#size -= length;
    this.#needed = headerLength;
    return { type, status, spid, id, payload: front.subarray(headerLength, length) };
  }

  /** The first chunk, made so long; no more is copied than that, as what follows in the last chunk may be much. */
  #front(length: number): Buffer {
    const first = this.#chunks[0] ?? Buffer.alloc(0);
    if (first.length >= length) return first;
    let missing = length;
    let count = 0;
    for (let chunk = this.#chunks[count]; chunk !== undefined && missing > 0; chunk = this.#chunks[count]) {
      if (chunk.length > missing) break;
      missing -= chunk.length;
      count++;
    }
    const parts = this.#chunks.splice(0, count);
    const [last] = this.#chunks;
    if (missing > 0 && last !== undefined) {
      parts.push(last.subarray(0, missing));
      this.#chunks[0] = last.subarray(missing);
    }
    const joined = Buffer.concat(parts, length);
    this.#chunks.unshift(joined);
    return joined;
  }
}
