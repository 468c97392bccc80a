import { packetTypes } from './header.ts';
import { packetize } from './message-writer.ts';

const packetSize = 4096;

/**
 * What a TLS engine says in one turn of a handshake before TDS 8, as one message of PRELOGIN packets (MS-TDS 2.2.6.5): the
 * engine writes it in pieces, and the other side expects it whole.
 */
export class HandshakeFlight {
  readonly #send: (packets: Buffer) => void;
  #pieces: Uint8Array[] = [];

  constructor(send: (packets: Buffer) => void) {
    this.#send = send;
  }

  /** Takes a piece; the flight goes when this turn of the event loop is over. */
  add(piece: Uint8Array): void {
    if (this.#pieces.push(piece) === 1) setImmediate(() => this.flush());
  }

  /** Sends what there is. Nothing is no flight: an empty packet would come amidst the bare records that follow. */
  flush(): void {
    if (this.#pieces.length === 0) return;
    const payload = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#send(packetize(payload, { type: packetTypes.prelogin, packetSize }));
  }
}
