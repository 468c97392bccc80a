import { headerLength } from '../../tds/packet/index.ts';

interface Waiting {
  readonly bytes: Uint8Array;
  readonly sent: (() => void) | undefined;
}

/** TDS packets waiting to be sent, as they were written: several per buffer, one after another. */
export class Outbox {
  #waiting: Waiting[] = [];
  /** The offset of the next packet in the first buffer. */
  #at = 0;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** The number of waiting bytes. */
  get bytes(): number {
    return this.#waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  add(bytes: Uint8Array, sent: (() => void) | undefined): void {
    if (bytes.length >= headerLength) this.#waiting.push({ bytes, sent });
    else sent?.();
  }

  /** Passes the next packet to `send`; it is valid until that returns. */
  take(send: (packet: Uint8Array) => void): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const { bytes, sent } = first;
    const length = ((bytes[this.#at + 2] ?? 0) << 8) | (bytes[this.#at + 3] ?? 0);
    const end = this.#at + Math.max(length, headerLength);
    send(bytes.subarray(this.#at, end));
    this.#at = end;
    if (end < bytes.length) return;
    this.#waiting.shift();
    this.#at = 0;
    sent?.();
  }

  /** Discards the waiting packets. */
  drop(): void {
    for (const { sent } of this.#waiting) sent?.();
    this.#waiting = [];
    this.#at = 0;
  }
}
