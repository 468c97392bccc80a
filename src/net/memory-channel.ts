import type { Duplex } from 'node:stream';
import type { Vouched } from '../base/vouched.ts';
import type { Channel } from '../session/channel.ts';
import { type Message, MessageAssembler, PacketParser, packetTypes } from '../tds/packet/index.ts';
import { MessageQueue } from './message-queue.ts';

/** The number of waiting messages at which reading stops: the next request and an attention. */
const waitingLimit = 2;

/** A client in the same process, as a session sees it: without a socket or TLS, and already authenticated. */
export class MemoryChannel implements Channel {
  readonly address = '';
  readonly localAddress = '';
  readonly localPort = 0;
  readonly loopback = true;
  readonly encrypted = false;
  readonly strict = false;
  readonly loginEncrypted = true;
  readonly stalledSince = undefined;
  readonly vouchedFor: Vouched;
  readonly isReadOnly: boolean;
  readonly bindings: readonly Buffer[] = [];
  onAttention: (() => void) | undefined;
  readonly #stream: Duplex;
  readonly #queue = new MessageQueue();
  readonly #parser = new PacketParser();
  readonly #assembler: MessageAssembler;
  readonly #closing = new AbortController();
  readonly #onRoom = () => this.#parse();

  constructor(stream: Duplex, who: Vouched, maxMessage: number, isReadOnly: boolean) {
    this.#stream = stream;
    this.vouchedFor = who;
    this.isReadOnly = isReadOnly;
    this.#assembler = new MessageAssembler(maxMessage);
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
    stream.on('error', () => this.#gone());
    stream.on('end', () => this.#gone());
    stream.on('close', () => this.#gone());
  }

  get sendsAhead(): boolean {
    return this.#queue.length > 0;
  }

  get attentionWaits(): boolean {
    return this.#queue.holds(packetTypes.attention);
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  receive(): Promise<Message | undefined> {
    const next = this.#queue.take();
    this.#parse();
    return next;
  }

  stopReceiving(): void {
    this.#queue.end();
    this.#assembler.stream?.end('cut');
  }

  write(bytes: Uint8Array, sent?: () => void): boolean {
    // The client keeps what it reads, while the session reuses its buffers once they have been sent.
    return this.#stream.writable ? this.#stream.write(sent === undefined ? bytes : Buffer.from(bytes), sent) : true;
  }

  drained(): Promise<void> {
    const stream = this.#stream;
    if (!stream.writableNeedDrain || this.closed.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        stream.off('drain', done).off('close', done);
        resolve();
      };
      stream.on('drain', done).on('close', done);
    });
  }

  startTls(): void {
    throw new Error('there is no TLS inside a process');
  }

  endLoginTls(): void {}

  admit(): void {}

  end(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stream.destroyed) return resolve();
      this.#stream.once('close', resolve);
      this.#stream.end(() => this.#stream.destroy());
    });
  }

  destroy(): void {
    this.#stream.destroy();
  }

  #take(chunk: Buffer): void {
    this.#parser.push(chunk);
    this.#parse();
  }

  #parse(): void {
    try {
      while (this.#queue.length < waitingLimit) {
        const packet = this.#parser.next();
        if (packet === undefined) break;
        const message = this.#assembler.add(packet);
        if (message !== undefined) this.#put(message);
        const { stream } = this.#assembler;
        if (stream === undefined) continue;
        stream.onRoom = this.#onRoom;
        if (stream.isFull) break;
      }
      if (this.#queue.length >= waitingLimit || this.#assembler.stream?.isFull) this.#stream.pause();
      else this.#stream.resume();
    } catch (error) {
      this.#queue.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #put(message: Message): void {
    this.#queue.put(message);
    if (message.type === packetTypes.attention) this.onAttention?.();
  }

  #gone(): void {
    this.stopReceiving();
    this.#closing.abort();
  }
}
