import { sqlError } from '../base/sql-error.ts';
import type { Message } from '../session/channel.ts';
import type { Packet } from '../tds/packet/packet-parser.ts';

const endOfMessage = 0x01;
const ignore = 0x02;

/** Puts the packets of a message together, and bounds what a client can make the server keep. */
export class MessageAssembler {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #length = 0;
  #status = 0;
  #type = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The whole message when this packet ends one. */
  add(packet: Packet): Message | undefined {
    if (this.#parts.length === 0) {
      this.#type = packet.type;
      this.#status = packet.status;
      if (packet.status & endOfMessage) return { type: packet.type, status: packet.status, payload: packet.payload };
    } else if (packet.type !== this.#type) {
      throw sqlError(4002);
    }
    this.#parts.push(packet.payload);
    this.#length += packet.payload.length;
    if (this.#length > this.#limit) throw sqlError(4002);
    if (!(packet.status & endOfMessage)) return undefined;
    const payload = Buffer.concat(this.#parts, this.#length);
    this.#parts = [];
    this.#length = 0;
    return { type: this.#type, status: this.#status | (packet.status & ignore), payload };
  }
}
