import { headerLength } from '../../tds/packet/index.ts';

interface Waiting {
  readonly bytes: Uint8Array;
  readonly sent: (() => void) | undefined;
}

/** Packets of TDS that wait to be sent, as they were written: several at a time, one behind another. */
export class Outbox {
  #waiting: Waiting[] = [];
  /** Where the next packet begins in what waits first. */
  #at = 0;

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** The bytes of what waits. */
  get bytes(): number {
    return this.#waiting.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  add(bytes: Uint8Array, sent: (() => void) | undefined): void {
    if (bytes.length >= headerLength) this.#waiting.push({ bytes, sent });
    else sent?.();
  }

  /** Hands over the next packet, which is good until `send` returns. */
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

  /** Forgets what waits. */
  drop(): void {
    for (const { sent } of this.#waiting) sent?.();
    this.#waiting = [];
    this.#at = 0;
  }
}
