import type { Log } from '../../base/log.ts';
import type { RequestChannel } from '../../session/channel.ts';
import type { Message } from '../../tds/packet/index.ts';
import {
  ahead,
  brokenMultiplex,
  encodeSmp,
  nextSequence,
  type SmpFlag,
  type SmpPacket,
  smpFlags,
  smpWindow,
} from '../../tds/smp/index.ts';
import { type ByteSource, type IntakeLimits, MessageIntake } from '../message-intake.ts';
import type { MessageAccount, MessageMemory } from '../message-memory.ts';
import { Stall } from '../stall.ts';
import { Outbox } from './outbox.ts';

/** What a session is made with, the same for all of a connection. */
export interface SmpOptions {
  readonly limits: IntakeLimits & { readonly sendTimeout: number };
  readonly memory: MessageMemory;
  readonly log: Log;
}

/** What a session asks of the connection that it is on. */
export interface SmpWire {
  readonly address: string;
  /** False when more was written than the client has read. */
  readonly hasRoom: boolean;
  write(bytes: Uint8Array): void;
  /** Has `pump` called when there is room again. */
  awaitRoom(): void;
  destroy(): void;
}

/** Packets that are taken before the client is told of it, so that it never comes to the end of its window. */
const acknowledgeAfter = smpWindow / 2;
/** What an open session costs the server beside its packets, in bytes. */
const ownCost = 8192;

/**
 * One session on a connection with MARS ([MC-SMP] 3.1): packets of TDS inside DATA packets, either way no more of them than
 * the other side has room for. What is not taken out of it keeps its client from sending, and nobody else.
 */
export class SmpSession implements RequestChannel, ByteSource {
  readonly sid: number;
  aside: RequestChannel['aside'];
  readonly #wire: SmpWire;
  readonly #intake: MessageIntake;
  readonly #memory: MessageAccount;
  readonly #stall: Stall;
  readonly #closing = new AbortController();
  /** DATA packets that have come and that nobody has looked into yet. */
  readonly #inbox: Buffer[] = [];
  #isPaused = false;
  #isFeeding = false;
  /** The last DATA packet that came, and the last that was taken out of the inbox. */
  #received = 0;
  #taken = 0;
  /** The last DATA packet that the client knows it may send. */
  #granted = smpWindow;
  readonly #outbox = new Outbox();
  #sent = 0;
  /** The last DATA packet that the client lets us send. */
  #sendLimit: number;
  #onEmpty: (() => void) | undefined;

  constructor({ sid, window }: SmpPacket, wire: SmpWire, { limits, memory, log }: SmpOptions) {
    this.sid = sid;
    this.#sendLimit = window;
    this.#wire = wire;
    this.#intake = new MessageIntake(this, limits, memory);
    this.#intake.admit();
    this.#memory = memory.account(wire.address, (error) => this.#intake.refuse(error));
    this.#memory.admit();
    this.#count();
    this.#stall = new Stall(limits.sendTimeout, log, () => wire.destroy());
  }

  get address(): string {
    return this.#wire.address;
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  get attentionWaits(): boolean {
    return this.#intake.attentionWaits;
  }

  set onAttention(listener: (() => void) | undefined) {
    this.#intake.onAttention = listener;
  }

  get sendsAhead(): boolean {
    return this.#intake.sendsAhead;
  }

  get stalledSince(): number | undefined {
    return this.#stall.since;
  }

  receive(): Promise<Message | undefined> {
    return this.#intake.receive();
  }

  stopReceiving(): void {
    this.#intake.stop();
  }

  destroy(): void {
    this.#wire.destroy();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#feed();
  }

  isPaused(): boolean {
    return this.#isPaused;
  }

  write(bytes: Uint8Array, sent?: () => void): boolean {
    if (this.closed.aborted) {
      sent?.();
      return true;
    }
    this.#outbox.add(bytes, sent);
    this.pump();
    this.#count();
    return this.#outbox.isEmpty;
  }

  drained(): Promise<void> {
    if (this.#outbox.isEmpty || this.closed.aborted) return Promise.resolve();
    const empty = () =>
      new Promise<void>((resolve) => {
        const ended = this.#stall.begin();
        this.#onEmpty = () => {
          this.#onEmpty = undefined;
          ended();
          resolve();
        };
      });
    return this.aside === undefined ? empty() : this.aside(empty);
  }

  /** Sends what the client and the wire have room for. */
  pump(): void {
    while (!this.#outbox.isEmpty && ahead(this.#sendLimit, this.#sent) > 0 && this.#wire.hasRoom) {
      this.#sent = nextSequence(this.#sent);
      this.#outbox.take((packet) => this.#send(smpFlags.data, packet));
    }
    if (this.#outbox.isEmpty) this.#onEmpty?.();
    else if (!this.#wire.hasRoom) this.#wire.awaitRoom();
  }

  /** The packets that were sent and not acknowledged yet, as far as the window of the other side tells. */
  get unacknowledged(): number {
    return Math.max(ahead(this.#sent, this.#sendLimit) + smpWindow, 0);
  }

  /** A DATA packet has come ([MC-SMP] 3.1.5.1.3). */
  data({ sequence, window, data }: SmpPacket): void {
    if (sequence !== nextSequence(this.#received)) throw brokenMultiplex('A DATA packet is out of order.');
    if (ahead(sequence, this.#granted) > 0) throw brokenMultiplex('A DATA packet is beyond the window.');
    this.#received = sequence;
    this.#widen(window);
    this.#inbox.push(data);
    this.#feed();
    this.#count();
  }

  /** An ACK packet has come ([MC-SMP] 3.1.5.1.2). */
  acknowledged({ sequence, window }: SmpPacket): void {
    if (sequence !== this.#received) throw brokenMultiplex('An ACK packet is out of order.');
    this.#widen(window);
  }

  /** A FIN packet has come: the session is over, and its client is told so. */
  finish(): void {
    this.#send(smpFlags.fin);
    this.end();
  }

  /** Nobody is there any more: whatever runs is cancelled. */
  end(): void {
    if (this.closed.aborted) return;
    this.#intake.end();
    this.#inbox.length = 0;
    this.#outbox.drop();
    this.#memory.set(0);
    this.#closing.abort();
    this.#onEmpty?.();
  }

  #count(): void {
    if (this.closed.aborted) return;
    const unread = this.#inbox.reduce((sum, { length }) => sum + length, 0);
    this.#memory.set(ownCost + unread + this.#outbox.bytes);
  }

  #widen(window: number): void {
    if (ahead(window, this.#sendLimit) <= 0) return;
    this.#sendLimit = window;
    this.pump();
    this.#count();
  }

  #feed(): void {
    // What is taken out may ask for more while it is looked into.
    if (this.#isFeeding) return;
    this.#isFeeding = true;
    try {
      while (!this.#isPaused && !this.closed.aborted) {
        const data = this.#inbox.shift();
        if (data === undefined) break;
        this.#taken = nextSequence(this.#taken);
        this.#intake.push(data);
      }
    } finally {
      this.#isFeeding = false;
    }
    if (ahead(this.#mayReceive, this.#granted) >= acknowledgeAfter && !this.closed.aborted) this.#send(smpFlags.ack);
  }

  get #mayReceive(): number {
    return (this.#taken + smpWindow) >>> 0;
  }

  #send(flag: SmpFlag, data?: Uint8Array): void {
    this.#granted = this.#mayReceive;
    this.#wire.write(encodeSmp({ flag, sid: this.sid, sequence: this.#sent, window: this.#granted }, data));
  }
}
