import { decodeSmpHeader, type SmpHeader, smpHeaderLength } from './header.ts';

/** A packet as it came in; its data have a buffer of their own. */
export interface SmpPacket extends SmpHeader {
  readonly data: Buffer;
}

/** Finds the packets of SMP in a stream of chunks: `push` what came, then take packets with `next` until there is none. */
export class SmpParser {
  readonly #head = Buffer.alloc(smpHeaderLength);
  #chunk: Buffer = Buffer.alloc(0);
  #at = 0;
  #headFilled = 0;
  #header: SmpHeader | undefined;
  #data: Buffer | undefined;
  #dataFilled = 0;

  /** The bytes that a packet which is not whole takes. */
  get partial(): number {
    return this.#headFilled + (this.#data?.length ?? 0);
  }

  /** Takes a chunk; the packets in the one before must have been taken out. */
  push(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#at = 0;
  }

  /** The next whole packet; throws SqlError 4002 of severity 20 when the stream cannot be followed. */
  next(): SmpPacket | undefined {
    if (this.#header === undefined) {
      this.#headFilled += this.#copy(this.#head, this.#headFilled);
      if (this.#headFilled < smpHeaderLength) return undefined;
      this.#header = decodeSmpHeader(this.#head);
      this.#data = Buffer.allocUnsafeSlow(this.#header.length - smpHeaderLength);
      this.#dataFilled = 0;
    }
    const data = this.#data ?? Buffer.alloc(0);
    this.#dataFilled += this.#copy(data, this.#dataFilled);
    if (this.#dataFilled < data.length) return undefined;
    const packet = { ...this.#header, data };
    this.#header = undefined;
    this.#headFilled = 0;
    this.#data = undefined;
    return packet;
  }

  #copy(to: Buffer, from: number): number {
    const copied = this.#chunk.copy(to, from, this.#at);
    this.#at += copied;
    return copied;
  }
}
