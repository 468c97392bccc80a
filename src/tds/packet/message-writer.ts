import { ByteWriter } from '../byte-writer.ts';
import { encodeHeader, headerLength, type PacketType, packetStatus, packetTypes } from './header.ts';

/**
 * The number of bytes after which a long response should be flushed: enough for large writes, few enough to stay in the
 * cache.
 */
const fullAt = 48 * 1024;

/**
 * Splits what is written into `out` into packets, with ids from 1. A response that fits into one packet is not copied:
 * space for its header is reserved before it. Returned buffers are never written again.
 */
export class MessageWriter {
  readonly out: ByteWriter = new ByteWriter();
  type: PacketType = packetTypes.reply;
  /** Applies from the next packet on, as ENVCHANGE 4 requires. */
  packetSize: number;
  spid: number;
  /** Status bits of the first packet, where a client requests a reset. */
  firstStatus = 0;
  #nextId = 1;

  constructor(packetSize: number, spid = 0) {
    this.packetSize = packetSize;
    this.spid = spid;
    this.out.skip(headerLength);
  }

  /** The number of payload bytes waiting. */
  get pending(): number {
    return this.out.length - headerLength;
  }

  /** True if enough is waiting to be worth a `flush`. */
  get isFull(): boolean {
    return this.out.length > fullAt;
  }

  /** The full packets, if there are any; always leaves a byte for the packet that ends the message. */
  flush(): Buffer | undefined {
    const room = this.packetSize - headerLength;
    const count = Math.floor((this.pending - 1) / room);
    if (count < 1) return undefined;
    const body = this.out.view();
    const packets = Buffer.allocUnsafeSlow(count * this.packetSize);
    for (let index = 0; index < count; index++) {
      const from = headerLength + index * room;
      this.#head(packets, index * this.packetSize, this.packetSize, 0);
      body.copy(packets, index * this.packetSize + headerLength, from, from + room);
    }
    this.out.cut(headerLength, count * room);
    return packets;
  }

  /** Everything that is waiting, even if the last packet is not full: for output that the client must see at once. */
  flushAll(): Buffer | undefined {
    return this.pending > 0 ? this.#takeAll(0) : undefined;
  }

  /**
   * Everything that is waiting, with the last packet marked as the end (and with `lastStatus`); the next message starts
   * from scratch.
   */
  end(lastStatus = 0): Buffer {
    const all = this.#takeAll(packetStatus.endOfMessage | lastStatus);
    this.#nextId = 1;
    this.firstStatus = 0;
    return all;
  }

  #takeAll(lastStatus: number): Buffer {
    const full = this.flush();
    const last = this.out.take();
    this.#head(last, 0, last.length, lastStatus);
    this.out.skip(headerLength);
    return full === undefined ? last : Buffer.concat([full, last]);
  }

  #head(bytes: Buffer, at: number, length: number, status: number): void {
    const first = this.#nextId === 1 ? this.firstStatus : 0;
    encodeHeader(bytes, at, { type: this.type, status: status | first, length, spid: this.spid, id: this.#nextId });
    // 8 bits that wrap (MS-TDS 2.2.3.1.5); 0 would look like a first packet here, so the count continues at 256.
    this.#nextId++;
  }
}

/** A complete message as packets, for requests, which are small, and for tests. */
export function packetize(
  payload: Uint8Array,
  options: { readonly type: PacketType; readonly packetSize: number; readonly spid?: number; readonly status?: number },
): Buffer {
  const writer = new MessageWriter(options.packetSize, options.spid ?? 0);
  writer.type = options.type;
  writer.firstStatus = options.status ?? 0;
  writer.out.bytes(payload);
  return writer.end();
}
