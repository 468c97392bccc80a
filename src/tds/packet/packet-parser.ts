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

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /** The next whole packet; throws SqlError 4002 of severity 20 when the stream cannot be followed. */
  next(): Packet | undefined {
    if (this.#size < this.#needed) return undefined;
    const buffer = this.#joined();
    const { type, status, length, spid, id } = decodeHeader(buffer, this.#sizeLimit);
    if (buffer.length < length) {
      this.#needed = length;
      return undefined;
    }
    this.#keep(buffer.subarray(length));
    return { type, status, spid, id, payload: buffer.subarray(headerLength, length) };
  }

  /** Takes out the bytes that are not parsed yet: what follows PRELOGIN may be TLS. */
  takeRest(): Buffer {
    const rest = this.#joined();
    this.#keep(rest.subarray(rest.length));
    return rest;
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const joined = Buffer.concat(this.#chunks, this.#size);
    this.#chunks = [joined];
    return joined;
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
    this.#needed = headerLength;
  }
}
