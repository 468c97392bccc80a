import { packetTypes } from './header.ts';
import { packetize } from './message-writer.ts';

const packetSize = 4096;

/**
 * The output of a TLS engine in one turn of a handshake before TDS 8, as one message of PRELOGIN packets (MS-TDS
 * 2.2.6.5): the engine writes it in pieces, and the other side expects it as a whole.
 */
export class HandshakeFlight {
  readonly #send: (packets: Buffer) => void;
  #pieces: Uint8Array[] = [];

  constructor(send: (packets: Buffer) => void) {
    this.#send = send;
  }

  /** Adds a piece; the flight is sent at the end of this turn of the event loop. */
  add(piece: Uint8Array): void {
    if (this.#pieces.push(piece) === 1) setImmediate(() => this.flush());
  }

  /** Sends what has been added, if anything: an empty packet would get between the bare records that follow. */
  flush(): void {
    if (this.#pieces.length === 0) return;
    const payload = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#send(packetize(payload, { type: packetTypes.prelogin, packetSize }));
  }
}
