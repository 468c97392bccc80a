import { decodeSmpHeader, type SmpHeader, smpHeaderLength } from './header.ts';

/** A packet as it came in; its data have a buffer of their own. */
export interface SmpPacket extends SmpHeader {
  readonly data: Buffer;
}

const nothing = Buffer.alloc(0);

/** Finds the packets of SMP in a stream of chunks: `push` what came, then take packets with `next` until there is none. */
export class SmpParser {
  readonly #head = Buffer.alloc(smpHeaderLength);
  #chunk: Buffer = nothing;
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
      const length = this.#header.length - smpHeaderLength;
      // Packets of control have no data, and come in floods: a buffer each would cost more than all else.
      this.#data = length === 0 ? nothing : Buffer.allocUnsafeSlow(length);
      this.#dataFilled = 0;
    }
    const data = this.#data ?? nothing;
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
