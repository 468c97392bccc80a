import type { Log } from '../../base/log/log.ts';
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

/** What sessions are created with, the same for all of a connection. */
export interface SmpOptions {
  readonly limits: IntakeLimits & { readonly sendTimeout: number };
  readonly memory: MessageMemory;
  readonly log: Log;
}

/** What a session needs from its connection. */
export interface SmpWire {
  readonly address: string;
  /** False if more has been written than the client has read. */
  readonly hasRoom: boolean;
  write(bytes: Uint8Array): void;
  /** Requests a call of `pump` when there is room again. */
  awaitRoom(): void;
  destroy(): void;
}

/**
 * The number of received packets after which the client is sent an acknowledgement, so that it never exhausts its
 * window.
 */
const acknowledgeAfter = smpWindow / 2;
/** The memory that an open session takes besides its packets, in bytes. */
const ownCost = 8192;

/**
 * One session on a connection with MARS ([MC-SMP] 3.1): TDS packets inside DATA packets, with flow control in both
 * directions. A session that does not consume its input keeps only its own client from sending.
 */
export class SmpSession implements RequestChannel, ByteSource {
  readonly sid: number;
  aside: RequestChannel['aside'];
  readonly #wire: SmpWire;
  readonly #intake: MessageIntake;
  readonly #memory: MessageAccount;
  readonly #stall: Stall;
  readonly #closing = new AbortController();
  /** DATA packets that have been received but not processed. */
  readonly #inbox: Buffer[] = [];
  #isPaused = false;
  #isFeeding = false;
  /** The sequence numbers of the last DATA packet received, and of the last one taken out of the inbox. */
  #received = 0;
  #taken = 0;
  /** The last DATA packet that the client knows it may send. */
  #granted = smpWindow;
  readonly #outbox = new Outbox();
  #sent = 0;
  /** The last DATA packet that the client allows us to send. */
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

  /** Sends as much as the client and the connection have room for. */
  pump(): void {
    while (!this.#outbox.isEmpty && ahead(this.#sendLimit, this.#sent) > 0 && this.#wire.hasRoom) {
      this.#sent = nextSequence(this.#sent);
      this.#outbox.take((packet) => this.#send(smpFlags.data, packet));
    }
    if (this.#outbox.isEmpty) this.#onEmpty?.();
    else if (!this.#wire.hasRoom) this.#wire.awaitRoom();
  }

  /** The number of packets sent but not acknowledged, according to the window of the other side. */
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

  /** Handles a FIN packet: ends the session and confirms it to the client. */
  finish(): void {
    this.#send(smpFlags.fin);
    this.end();
  }

  /** Ends the session because the client is gone: whatever runs is cancelled. */
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
    // Processing a packet may request more of them.
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
