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
  /** Ends it at once. */
  destroy(): void;
}

/** What bounds what one client sends. */
export interface IntakeLimits {
  /** The greatest message, in bytes. */
  readonly maxMessage: number;
  /** Milliseconds that a message may take to come whole. */
  readonly messageTimeout: number;
}

const noBytes = Buffer.alloc(0);
/** The greatest message before a login: LOGIN7 with all of its fields at their limits fits. */
const loginMessageLimit = 128 * 1024;
/** Messages that may wait before nothing more is read: the next request and an attention. */
const waitingLimit = 2;
/** Whole messages up to this size are not counted: their number is bounded by that of the connections. */
const smallMessage = 64 * 1024;
/** The same for clients that nobody knows yet: there may be thousands of them, each with a token as long as they come. */
const smallOfStranger = 4 * 1024;

/** Makes messages out of bytes, within the limits of size, time and memory, and keeps them until they are received. */
export class MessageIntake {
  /** Called at once when an attention arrives. */
  onAttention: (() => void) | undefined;
  readonly #source: ByteSource;
  readonly #limits: IntakeLimits;
  readonly #queue = new MessageQueue();
  readonly #assembler: MessageAssembler;
  readonly #parser = new PacketParser();
  readonly #spent = new SpentChunks();
  readonly #memory: MessageAccount;
  /** The size from which whole messages are counted. */
  #large = smallOfStranger;
  /** When the message that has begun to come began to, if one has. */
  #begun: number | undefined;
  #overdue: NodeJS.Timeout | undefined;
  /** The size of the message that is being answered, if it is large. */
  #answering = 0;
  /** True when what comes is dropped: it cannot be understood any more, or nobody wants it. */
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

  /** True when more has come than was received. */
  get sendsAhead(): boolean {
    return this.#queue.length > 0;
  }

  /** True when nothing has come that was not received. */
  get isEmpty(): boolean {
    return this.#queue.length === 0 && !this.#parser.hasPartial;
  }

  /** The next whole message, undefined when no more come; rejects when the bytes are no message. */
  receive(): Promise<Message | undefined> {
    if (this.#answering > 0) {
      this.#answering = 0;
      this.#count();
    }
    const next = this.#queue.take(this.#answered);
    if (this.#parser.hasPartial) this.#parse();
    if (this.#queue.length < waitingLimit && this.#source.isPaused()) {
      this.#source.resume();
      // While nothing was read the client could not go on.
      if (this.#begun !== undefined) this.#begun = performance.now();
    }
    return next;
  }

  /** A large message is counted until the next one is asked for. */
  readonly #answered = ({ payload }: Message): void => {
    if (payload.length < this.#large) return;
    this.#answering = payload.length;
    this.#count();
  };

  /** The client has logged in: messages may be as long as the server allows. */
  admit(): void {
    this.#memory.admit();
    this.#large = smallMessage;
    this.#assembler.sizeLimit = this.#limits.maxMessage;
  }

  /** What has not come whole by now is no longer wanted. */
  stop(): void {
    this.#queue.end();
    this.#assembler.stream?.end('cut');
  }

  /** Nothing that comes is listened to any more. */
  ignoreRest(): void {
    this.#deaf = true;
  }

  /** The client is gone. */
  end(): void {
    this.stop();
    this.#ended = true;
    this.#deaf = true;
    this.#forget();
    clearTimeout(this.#overdue);
  }

  /** Takes bytes that the client sent. */
  push(chunk: Buffer): void {
    if (this.#deaf) return;
    this.#parser.push(chunk);
    this.#spent.add(chunk);
    this.#parse();
  }

  /** Takes messages out of what has come, until enough of them wait. */
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

  /** Whoever receives gets the error; nothing that follows can be understood. */
  refuse(error: Error): void {
    this.#deaf = true;
    this.#forget();
    this.#queue.fail(error);
  }

  /** The client held too much, and lets go of all of it: a request that is being answered keeps its bytes, so it ends too. */
  #overdrawn(error: Error): void {
    const isAnswered = this.#answering > 0;
    this.#answering = 0;
    this.#queue.clear();
    this.refuse(error);
    if (isAnswered) this.#source.destroy();
  }

  /** Gives back what a message that is not whole has taken. */
  #forget(): void {
    this.#parser.drop();
    this.#assembler.drop();
    this.#spent.drop();
    this.#watch();
  }

  /** Minds the memory and the time of a message that has begun to come. */
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
      else this.refuse(brokenStream(`A message did not come whole within ${messageTimeout} milliseconds.`));
    }, milliseconds).unref();
  }

  /** A bulk load is read no faster than it is taken, and may take as long as the client goes on sending it. */
  #follow(stream: PayloadStream): void {
    this.#spent.settle(noBytes);
    this.#begun = undefined;
    stream.onRoom = this.#onRoom;
    if (stream.isFull) this.#source.pause();
  }
}
