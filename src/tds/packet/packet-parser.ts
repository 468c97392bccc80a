import { decodeHeader, headerLength, maxPacketSize, type PacketType } from './header.ts';

/** A packet as received. */
export interface Packet {
  readonly type: PacketType;
  readonly status: number;
  readonly spid: number;
  readonly id: number;
  readonly payload: Buffer;
}

/**
 * Finds the packets in a stream of chunks: `push` what has arrived, then take packets with `next` until there are none.
 */
export class PacketParser {
  readonly #sizeLimit: number;
  #chunks: Buffer[] = [];
  #size = 0;
  /**
   * The number of bytes that must arrive before another attempt, so that a client that sends slowly causes no copies.
   */
  #needed = headerLength;

  constructor(sizeLimit: number = maxPacketSize) {
    this.#sizeLimit = sizeLimit;
  }

  /** True while the start of a packet is waiting for its rest. */
  get hasPartial(): boolean {
    return this.#size > 0;
  }

  /** Discards an incomplete packet. */
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

  /** The next complete packet; throws SqlError 4002 of severity 20 if the stream cannot be parsed. */
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

  /** Extends the first chunk to this length, copying no more than that, since the last chunk may contain much more. */
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
