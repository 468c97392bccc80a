import { decodeSmpHeader, type SmpHeader, smpHeaderLength } from './header.ts';

/** A packet as received, with its data in a buffer of its own. */
export interface SmpPacket extends SmpHeader {
  readonly data: Buffer;
}

const nothing = Buffer.alloc(0);

/**
 * Finds the SMP packets in a stream of chunks: `push` what has arrived, then take packets with `next` until there are
 * none.
 */
export class SmpParser {
  readonly #head = Buffer.alloc(smpHeaderLength);
  #chunk: Buffer = nothing;
  #at = 0;
  #headFilled = 0;
  #header: SmpHeader | undefined;
  #data: Buffer | undefined;
  #dataFilled = 0;

  /** The number of bytes that an incomplete packet takes. */
  get partial(): number {
    return this.#headFilled + (this.#data?.length ?? 0);
  }

  /** Adds a chunk; the packets of the previous one must have been taken. */
  push(chunk: Buffer): void {
    this.#chunk = chunk;
    this.#at = 0;
  }

  /** The next complete packet; throws SqlError 4002 of severity 20 if the stream cannot be parsed. */
  next(): SmpPacket | undefined {
    if (this.#header === undefined) {
      this.#headFilled += this.#copy(this.#head, this.#headFilled);
      if (this.#headFilled < smpHeaderLength) return undefined;
      this.#header = decodeSmpHeader(this.#head);
      const length = this.#header.length - smpHeaderLength;
      // Control packets have no data and may come in floods: a buffer for each would cost more than everything else.
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
