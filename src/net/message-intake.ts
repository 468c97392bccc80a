import {
  brokenStream,
  type Message,
  MessageAssembler,
  PacketParser,
  type PayloadStream,
  packetTypes,
} from '../tds/packet/index.ts';
import type { MessageAccount, MessageMemory } from './message-memory.ts';
import { MessageQueue } from './message-queue.ts';
import { SpentChunks } from './spent-chunks.ts';

/** Where the bytes of messages come from. */
export interface ByteSource {
  readonly address: string;
  pause(): void;
  resume(): void;
  isPaused(): boolean;
  /** Closes it immediately. */
  destroy(): void;
}

/** Limits on what one client sends. */
export interface IntakeLimits {
  /** The maximum size of a message in bytes. */
  readonly maxMessage: number;
  /** Milliseconds within which a message must arrive completely. */
  readonly messageTimeout: number;
}

const noBytes = Buffer.alloc(0);
/** The maximum size of a message before a login: a LOGIN7 with all of its fields at their limits fits. */
const loginMessageLimit = 128 * 1024;
/** The number of waiting messages at which reading stops: the next request and an attention. */
const waitingLimit = 2;
/** Complete messages up to this size are not counted: the number of connections bounds their number. */
const smallMessage = 64 * 1024;
/**
 * The same for clients that have not logged in: there may be thousands of them, each with a token of the maximum
 * length.
 */
const smallOfStranger = 4 * 1024;

/**
 * Assembles bytes into messages, within the limits of size, time and memory, and keeps them until they are received.
 */
export class MessageIntake {
  /** Called immediately when an attention arrives. */
  onAttention: (() => void) | undefined;
  readonly #source: ByteSource;
  readonly #limits: IntakeLimits;
  readonly #queue = new MessageQueue();
  readonly #assembler: MessageAssembler;
  readonly #parser = new PacketParser();
  readonly #spent = new SpentChunks();
  readonly #memory: MessageAccount;
  /** The size from which complete messages are counted. */
  #large = smallOfStranger;
  /** When the current incomplete message began to arrive, if there is one. */
  #begun: number | undefined;
  #overdue: NodeJS.Timeout | undefined;
  /** The size of the message being answered, if it is large. */
  #answering = 0;
  /** True if input is dropped, because it can no longer be parsed or nobody needs it. */
  #deaf = false;
  #ended = false;
  readonly #onRoom = () => {
    if (this.#queue.length < waitingLimit) this.#source.resume();
  };

  constructor(source: ByteSource, limits: IntakeLimits, memory: MessageMemory) {
    this.#source = source;
    this.#limits = limits;
    this.#memory = memory.account(source.address, (error) => this.#overdrawn(error));
    this.#assembler = new MessageAssembler(Math.min(loginMessageLimit, limits.maxMessage));
  }

  get attentionWaits(): boolean {
    return this.#queue.holds(packetTypes.attention);
  }

  /** True if more has arrived than has been received. */
  get sendsAhead(): boolean {
    return this.#queue.length > 0;
  }

  /** True if everything that has arrived has been received. */
  get isEmpty(): boolean {
    return this.#queue.length === 0 && !this.#parser.hasPartial;
  }

  /** The next complete message; undefined at the end of input. Rejects if the bytes are not a message. */
  receive(): Promise<Message | undefined> {
    if (this.#answering > 0) {
      this.#answering = 0;
      this.#count();
    }
    const next = this.#queue.take(this.#answered);
    if (this.#parser.hasPartial) this.#parse();
    if (this.#queue.length < waitingLimit && this.#source.isPaused()) {
      this.#source.resume();
      // The client could not continue while nothing was read.
      if (this.#begun !== undefined) this.#begun = performance.now();
    }
    return next;
  }

  /** A large message is counted until the next one is requested. */
  readonly #answered = ({ payload }: Message): void => {
    if (payload.length < this.#large) return;
    this.#answering = payload.length;
    this.#count();
  };

  /** Must be called when the client has logged in: messages may now be as long as the server allows. */
  admit(): void {
    this.#memory.admit();
    this.#large = smallMessage;
    this.#assembler.sizeLimit = this.#limits.maxMessage;
  }

  /** Discards an incomplete message. */
  stop(): void {
    this.#queue.end();
    this.#assembler.stream?.end('cut');
  }

  /** Ignores all further input. */
  ignoreRest(): void {
    this.#deaf = true;
  }

  /** Ends the input: the client has disconnected. */
  end(): void {
    this.stop();
    this.#ended = true;
    this.#deaf = true;
    this.#forget();
    clearTimeout(this.#overdue);
  }

  /** Accepts bytes from the client. */
  push(chunk: Buffer): void {
    if (this.#deaf) return;
    this.#parser.push(chunk);
    this.#spent.add(chunk);
    this.#parse();
  }

  /** Extracts messages from the input until enough of them are waiting. */
  #parse(): void {
    if (this.#deaf) return;
    try {
      while (this.#queue.length < waitingLimit) {
        const packet = this.#parser.next();
        if (packet === undefined) break;
        const message = this.#assembler.add(packet);
        const { stream } = this.#assembler;
        if (stream !== undefined) this.#follow(stream);
        if (!message) continue;
        this.#spent.settle(message.payload);
        this.#queue.put(message);
        if (message.type === packetTypes.attention) this.onAttention?.();
      }
      if (this.#queue.length >= waitingLimit) this.#source.pause();
      this.#watch();
    } catch (error) {
      this.refuse(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** The receiver gets the error; nothing that follows can be parsed. */
  refuse(error: Error): void {
    this.#deaf = true;
    this.#forget();
    this.#queue.fail(error);
  }

  /**
   * Releases everything that the client holds, because it was too much. A request that is being answered keeps its
   * bytes, so it ends too.
   */
  #overdrawn(error: Error): void {
    const isAnswered = this.#answering > 0;
    this.#answering = 0;
    this.#queue.clear();
    this.refuse(error);
    if (isAnswered) this.#source.destroy();
  }

  /** Releases the memory of an incomplete message. */
  #forget(): void {
    this.#parser.drop();
    this.#assembler.drop();
    this.#spent.drop();
    this.#watch();
  }

  /** Accounts for the memory of an incomplete message and starts its timeout. */
  #watch(): void {
    if (!this.#assembler.isOpen && !this.#parser.hasPartial) this.#begun = undefined;
    else this.#begun ??= performance.now();
    this.#count();
    if (this.#begun !== undefined) this.#overdue ??= this.#timer(this.#limits.messageTimeout);
  }

  #count(): void {
    const unfinished = this.#begun === undefined ? 0 : this.#spent.cost + (this.#assembler.stream?.cost ?? 0);
    const whole = this.#ended ? 0 : this.#queue.bytes(this.#large) + this.#answering;
    this.#memory.set(unfinished + whole);
  }

  #timer(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#overdue = undefined;
      if (this.#begun === undefined || this.#deaf) return;
      const { messageTimeout } = this.#limits;
      if (this.#source.isPaused()) this.#begun = performance.now();
      const left = this.#begun + messageTimeout - performance.now();
      if (left > 0) this.#overdue = this.#timer(left);
      else this.refuse(brokenStream(`A message did not arrive completely within ${messageTimeout} milliseconds.`));
    }, milliseconds).unref();
  }

  /** A bulk load is read no faster than it is consumed, and may take as long as the client keeps sending. */
  #follow(stream: PayloadStream): void {
    this.#spent.settle(noBytes);
    this.#begun = undefined;
    stream.onRoom = this.#onRoom;
    if (stream.isFull) this.#source.pause();
  }
}
