import { brokenStream, type PacketType, packetStatus, packetTypes } from './header.ts';
import type { Packet } from './packet-parser.ts';
import { PayloadStream } from './payload-stream.ts';

/** Whether a request asks for a fresh session first (MS-TDS 2.2.3.1.2). */
export type Reset = 'none' | 'reset' | 'resetKeepTransaction';

/** A request: the payloads of its packets, put together; of a bulk load, as they come. */
export interface Message {
  readonly type: PacketType;
  readonly reset: Reset;
  /** The client took the request back: it is answered with one DONE that carries an error (MS-TDS 2.2.1.7). */
  readonly ignored: boolean;
  readonly payload: Buffer;
  /** Present for a bulk load, whose payload is empty: it may be larger than memory. */
  readonly stream?: PayloadStream;
}

const noBytes = Buffer.alloc(0);

function resetOf(status: number): Reset {
  if ((status & packetStatus.resetConnection) !== 0) return 'reset';
  return (status & packetStatus.resetConnectionKeepTransaction) !== 0 ? 'resetKeepTransaction' : 'none';
}

/** So many payloads are joined to one block if they are tiny, so that a message of such costs little more than its bytes. */
const payloadsOfBlock = 1024;
const tiny = 256;
/** Packets without a payload that may follow each other: no driver sends any, and they count for no limit of bytes. */
const mostEmpty = 64;

/** Puts packets together to messages, up to a limit of bytes. */
export class MessageAssembler {
  /** The greatest payload of a message; may be raised once a client has logged in. */
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

  /** The bulk load that is coming in, if one is. */
  get stream(): PayloadStream | undefined {
    return this.#stream;
  }

  /**
   * The message that this packet completes, if it does, or the bulk load that it begins; throws SqlError 4002 when it
   * belongs to no message.
   */
  add(packet: Packet): Message | undefined {
    // A client that gives up may send its attention in the middle of a request, whose rest then never comes.
    if (packet.type === packetTypes.attention) {
      if (packet.payload.length > 0 || !isLast(packet)) throw brokenStream('An attention is one packet without data.');
      this.drop();
    }
    const first = this.#first ?? packet;
    if (first.type !== packet.type) throw brokenStream('A packet of another type stands within a message.');
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

  /** A packet of a bulk load goes to whoever reads it. */
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
    if (this.#empty > mostEmpty) throw brokenStream(`More than ${mostEmpty} packets without data follow each other.`);
  }

  #whole(): Buffer {
    const [only] = this.#payloads;
    if (only !== undefined && only.length === this.#size) return only;
    return Buffer.concat([...this.#blocks, ...this.#payloads], this.#size);
  }

  /** Forgets the packets of a message that is not whole. */
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
