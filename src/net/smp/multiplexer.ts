import type { SqlError } from '../../base/messages/sql-error.ts';
import { nextTurn } from '../../base/threads/rota.ts';
import type { RequestChannel } from '../../session/channel.ts';
import { brokenMultiplex, type SmpPacket, SmpParser, smpFlags } from '../../tds/smp/index.ts';
import type { MessageAccount } from '../message-memory.ts';
import { type SmpOptions, SmpSession, type SmpWire } from './smp-session.ts';

/** The connection that carries the sessions. */
interface MultiplexedWire extends Omit<SmpWire, 'awaitRoom'> {
  drained(): Promise<void>;
  pause(): void;
  resume(): void;
}

/** The callbacks of a multiplexer. */
interface MultiplexerEvents {
  accept(session: RequestChannel): void;
  /** No more sessions will be opened. */
  stopped(): void;
  failed(error: Error): void;
}

/** The maximum number of open sessions per connection; drivers open one for each running command. */
const mostSessions = 1024;
/** The maximum number of sessions opened per turn, so that the garbage of one batch is gone before the next. */
const opensInTurn = 32;
/** The number of sessions ended per turn. */
const endsInTurn = 64;

/**
 * Ends the sessions of a closed connection, yielding in between: what each was doing is cancelled, which takes time.
 */
async function endInTurns(sessions: readonly SmpSession[]): Promise<void> {
  // If there are many, it yields before the first too: several connections may be lost together, and each would end
  // some at once.
  const isMany = sessions.length > endsInTurn;
  for (const [at, session] of sessions.entries()) {
    if (isMany && at % endsInTurn === 0) await nextTurn();
    session.end();
  }
}

/** Many sessions over one connection ([MC-SMP]): passes each its packets, and lets them send in turns. */
export class Multiplexer implements SmpWire {
  readonly #wire: MultiplexedWire;
  readonly #options: SmpOptions;
  readonly #events: MultiplexerEvents;
  readonly #parser = new SmpParser();
  readonly #memory: MessageAccount;
  /** In the order in which they send next. */
  readonly #sessions = new Map<number, SmpSession>();
  /** Ended sessions, and how many acknowledgements may still arrive for each that were on their way when it ended. */
  readonly #finished = new Map<number, number>();
  #overdue: NodeJS.Timeout | undefined;
  /** Unparsed input: empty unless the multiplexer is paused. */
  readonly #chunks: Buffer[] = [];
  #isResting = false;
  #isWaiting = false;
  #stopped = false;

  constructor(wire: MultiplexedWire, options: SmpOptions, events: MultiplexerEvents) {
    this.#wire = wire;
    this.#options = options;
    this.#events = events;
    this.#memory = options.memory.account(wire.address, (error) => this.#fail(error));
    this.#memory.admit();
  }

  /** Accepts bytes from the client; a protocol violation ends the connection. */
  push(chunk: Buffer): void {
    if (this.#stopped) return;
    this.#chunks.push(chunk);
    if (!this.#isResting) this.#takeTurn();
  }

  get address(): string {
    return this.#wire.address;
  }

  get hasRoom(): boolean {
    return this.#wire.hasRoom;
  }

  write(bytes: Uint8Array): void {
    this.#wire.write(bytes);
  }

  destroy(): void {
    this.#wire.destroy();
  }

  awaitRoom(): void {
    if (this.#isWaiting || this.#stopped) return;
    this.#isWaiting = true;
    void this.#wire.drained().then(() => {
      this.#isWaiting = false;
      if (!this.#isResting) this.#wire.resume();
      this.#pumpAll();
    });
  }

  /** Discards an incomplete packet; complete ones are still answered. */
  stop(): void {
    for (const session of this.#sessions.values()) session.stopReceiving();
    this.#stop();
  }

  /** Ends all sessions: the connection is closed. */
  end(): void {
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    this.#stop();
    this.#memory.set(0);
    void endInTurns(open);
  }

  #stop(): void {
    this.#stopped = true;
    this.#chunks.length = 0;
    clearTimeout(this.#overdue);
    this.#events.stopped();
  }

  #fail(error: SqlError | Error): void {
    this.#events.failed(error);
    this.end();
  }

  #takeTurn(): void {
    try {
      if (this.#takePackets()) this.#watch();
      else this.#rest();
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
    // While the client does not read, nothing is read that would have to be answered.
    if (!this.hasRoom && !this.#stopped) {
      this.#wire.pause();
      this.awaitRoom();
    }
  }

  /** Processes the input; false if so many sessions were opened that the rest has to wait for the next turn. */
  #takePackets(): boolean {
    for (let opened = 0; opened < opensInTurn && !this.#stopped; ) {
      const packet = this.#parser.next();
      if (packet !== undefined) {
        this.#take(packet);
        if (packet.flag === smpFlags.syn) opened++;
        continue;
      }
      const chunk = this.#chunks.shift();
      if (chunk === undefined) return true;
      this.#parser.push(chunk);
    }
    return this.#stopped;
  }

  #rest(): void {
    this.#isResting = true;
    this.#wire.pause();
    setImmediate(() => {
      this.#isResting = false;
      if (this.#stopped) return;
      this.#takeTurn();
      if (!this.#isResting && this.hasRoom) this.#wire.resume();
    });
  }

  #take(packet: SmpPacket): void {
    const { flag, sid } = packet;
    const session = this.#sessions.get(sid);
    if (session === undefined && flag === smpFlags.ack && this.#isLate(sid)) return;
    if (flag === smpFlags.syn) this.#open(packet);
    else if (session === undefined) throw brokenMultiplex(`There is no session ${sid}.`);
    else if (flag === smpFlags.data) session.data(packet);
    else if (flag === smpFlags.ack) session.acknowledged(packet);
    else {
      this.#sessions.delete(sid);
      if (session.unacknowledged > 0) this.#finished.set(sid, session.unacknowledged);
      session.finish();
    }
  }

  /** True for an ACK that may have been on its way when the session ended. */
  #isLate(sid: number): boolean {
    const left = this.#finished.get(sid) ?? 0;
    if (left > 1) this.#finished.set(sid, left - 1);
    else this.#finished.delete(sid);
    return left > 0;
  }

  /** A SYN packet opens a session ([MC-SMP] 3.2.4.1). */
  #open(packet: SmpPacket): void {
    const { sid, sequence } = packet;
    if (this.#sessions.has(sid)) throw brokenMultiplex(`Session ${sid} is already open.`);
    if (sequence !== 0) throw brokenMultiplex('A SYN packet must have the sequence number 0.');
    if (this.#sessions.size >= mostSessions) throw brokenMultiplex(`More than ${mostSessions} sessions are open.`);
    const session = new SmpSession(packet, this, this.#options);
    this.#finished.delete(sid);
    this.#sessions.set(sid, session);
    this.#events.accept(session);
  }

  /** Accounts for the memory of sessions, and starts the timeout of an incomplete packet. */
  #watch(): void {
    if (this.#stopped) return;
    this.#memory.set(this.#parser.partial);
    clearTimeout(this.#overdue);
    if (this.#parser.partial === 0) return;
    const { messageTimeout } = this.#options.limits;
    const late = brokenMultiplex(`A packet did not arrive completely within ${messageTimeout} milliseconds.`);
    this.#overdue = setTimeout(() => this.#fail(late), messageTimeout).unref();
  }

  /** A session that has sent goes to the end of the line. */
  #pumpAll(): void {
    for (const [sid, session] of [...this.#sessions]) {
      if (!this.hasRoom) break;
      session.pump();
      if (this.#sessions.delete(sid)) this.#sessions.set(sid, session);
    }
    if (!this.hasRoom) this.awaitRoom();
  }
}
