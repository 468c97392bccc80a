import { brokenStream, type PacketType, packetStatus, packetTypes } from './header.ts';
import type { Packet } from './packet-parser.ts';
import { PayloadStream } from './payload-stream.ts';

/** Whether a request resets the session first (MS-TDS 2.2.3.1.2). */
export type Reset = 'none' | 'reset' | 'resetKeepTransaction';

/** A request: the joined payloads of its packets; those of a bulk load are streamed. */
export interface Message {
  readonly type: PacketType;
  readonly reset: Reset;
  /** The client cancelled the request: it is answered with one DONE that carries an error (MS-TDS 2.2.1.7). */
  readonly ignored: boolean;
  readonly payload: Buffer;
  /** Present for a bulk load, whose payload is empty, since it may be larger than memory. */
  readonly stream?: PayloadStream;
}

const noBytes = Buffer.alloc(0);

function resetOf(status: number): Reset {
  if ((status & packetStatus.resetConnection) !== 0) return 'reset';
  return (status & packetStatus.resetConnectionKeepTransaction) !== 0 ? 'resetKeepTransaction' : 'none';
}

/**
 * The number of tiny payloads that are joined into one block, so that a message of many costs little more than its
 * bytes.
 */
const payloadsOfBlock = 1024;
const tiny = 256;
/**
 * The maximum number of consecutive packets without a payload: no driver sends any, and no limit in bytes covers them.
 */
const mostEmpty = 64;

/** Assembles packets into messages, up to a limit in bytes. */
export class MessageAssembler {
  /** The maximum payload of a message; raised once a client has logged in. */
  sizeLimit: number;
  #first: Packet | undefined;
  #blocks: Buffer[] = [];
  #payloads: Buffer[] = [];
  #size = 0;
  #count = 0;
  #empty = 0;
  #stream: PayloadStream | undefined;

  constructor(sizeLimit: number) {
    this.sizeLimit = sizeLimit;
  }

  /** True between the first and the last packet of a message. */
  get isOpen(): boolean {
    return this.#first !== undefined;
  }

  /** The bulk load that is being received, if there is one. */
  get stream(): PayloadStream | undefined {
    return this.#stream;
  }

  /**
   * The message that this packet completes, or the bulk load that it starts, if any; throws SqlError 4002 if it belongs
   * to no message.
   */
  add(packet: Packet): Message | undefined {
    // A client that gives up may send its attention in the middle of a request, the rest of which never comes.
    if (packet.type === packetTypes.attention) {
      if (packet.payload.length > 0 || !isLast(packet))
        throw brokenStream('An attention must be a single packet without data.');
      this.drop();
    }
    const first = this.#first ?? packet;
    if (first.type !== packet.type) throw brokenStream('A message contains a packet of another type.');
    if (packet.type === packetTypes.bulkLoad) return this.#passOn(packet);
    this.#size += packet.payload.length;
    if (this.#size > this.sizeLimit) throw brokenStream(`A message is over the limit of ${this.sizeLimit} bytes.`);
    this.#first = first;
    this.#keep(packet.payload);
    if (!isLast(packet)) return undefined;
    const payload = this.#whole();
    this.drop();
    const ignored = (packet.status & packetStatus.ignore) !== 0;
    return { type: first.type, reset: resetOf(first.status), ignored, payload };
  }

  /** Passes a packet of a bulk load to its reader. */
  #passOn(packet: Packet): Message | undefined {
    const isFirst = this.#first === undefined;
    this.#first ??= packet;
    this.#stream ??= new PayloadStream(this.sizeLimit);
    const stream = this.#stream;
    this.#refuseEmpty(packet.payload);
    stream.push(packet.payload);
    if (isLast(packet)) {
      stream.end((packet.status & packetStatus.ignore) === 0 ? 'whole' : 'ignored');
      this.drop();
    }
    if (!isFirst) return undefined;
    return { type: packet.type, reset: resetOf(packet.status), ignored: false, payload: noBytes, stream };
  }

  #keep(payload: Buffer): void {
    this.#refuseEmpty(payload);
    if (payload.length === 0) return;
    this.#payloads.push(payload);
    this.#count++;
    if (this.#payloads.length < payloadsOfBlock) return;
    const isTiny = this.#size / this.#count < tiny;
    if (isTiny) this.#blocks.push(Buffer.concat(this.#payloads));
    else this.#blocks.push(...this.#payloads);
    this.#payloads = [];
  }

  #refuseEmpty(payload: Buffer): void {
    this.#empty = payload.length === 0 ? this.#empty + 1 : 0;
    if (this.#empty > mostEmpty) throw brokenStream(`More than ${mostEmpty} consecutive packets have no data.`);
  }

  #whole(): Buffer {
    const [only] = this.#payloads;
    if (only !== undefined && only.length === this.#size) return only;
    return Buffer.concat([...this.#blocks, ...this.#payloads], this.#size);
  }

  /** Discards the packets of an incomplete message. */
  drop(): void {
    this.#stream?.end('cut');
    this.#stream = undefined;
    this.#first = undefined;
    this.#blocks = [];
    this.#payloads = [];
    this.#size = 0;
    this.#count = 0;
    this.#empty = 0;
  }
}

const isLast = ({ status }: Packet): boolean => (status & packetStatus.endOfMessage) !== 0;
