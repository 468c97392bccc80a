import { nextTurn } from '../../base/rota.ts';
import type { SqlError } from '../../base/sql-error.ts';
import type { RequestChannel } from '../../session/channel.ts';
import { brokenMultiplex, type SmpPacket, SmpParser, smpFlags } from '../../tds/smp/index.ts';
import type { MessageAccount } from '../message-memory.ts';
import { type SmpOptions, SmpSession, type SmpWire } from './smp-session.ts';

/** The connection under the sessions. */
interface MultiplexedWire extends Omit<SmpWire, 'awaitRoom'> {
  drained(): Promise<void>;
  pause(): void;
  resume(): void;
}

/** What a multiplexer has to tell. */
interface MultiplexerEvents {
  accept(session: RequestChannel): void;
  /** No more sessions will be opened. */
  stopped(): void;
  failed(error: Error): void;
}

/** Sessions that one connection may have open; drivers open one for each command that runs. */
const mostSessions = 1024;
/** Sessions that are opened in one turn: what they leave behind is gone before the next ones come. */
const opensInTurn = 32;
/** Sessions that are ended in one turn. */
const endsInTurn = 64;

/** Ends sessions whose connection is over, giving way in between: what each was doing is cancelled, which takes time. */
async function endInTurns(sessions: readonly SmpSession[]): Promise<void> {
  // Where there are many, the first too: several connections may vanish together, and each would end some at once.
  const isMany = sessions.length > endsInTurn;
  for (const [at, session] of sessions.entries()) {
    if (isMany && at % endsInTurn === 0) await nextTurn();
    session.end();
  }
}

/** Many sessions over one connection ([MC-SMP]): hands each its packets, and lets them send by turns. */
export class Multiplexer implements SmpWire {
  readonly #wire: MultiplexedWire;
  readonly #options: SmpOptions;
  readonly #events: MultiplexerEvents;
  readonly #parser = new SmpParser();
  readonly #memory: MessageAccount;
  /** In the order in which they send next. */
  readonly #sessions = new Map<number, SmpSession>();
  /** Sessions that are over, and how often their clients may still acknowledge something that was on its way then. */
  readonly #finished = new Map<number, number>();
  #overdue: NodeJS.Timeout | undefined;
  /** What has come and nobody has looked into: nothing, unless the multiplexer rests. */
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

  /** Takes bytes that the client sent; a violation of the protocol ends the connection. */
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

  /** What has not come whole is no longer wanted; what came is answered. */
  stop(): void {
    for (const session of this.#sessions.values()) session.stopReceiving();
    this.#stop();
  }

  /** The connection is over. */
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
    // While the client does not read, nothing more is read that would have to be answered.
    if (!this.hasRoom && !this.#stopped) {
      this.#wire.pause();
      this.awaitRoom();
    }
  }

  /** Takes what has come; false when so many sessions were opened that the rest has to wait for the next turn. */
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
    if (this.#sessions.has(sid)) throw brokenMultiplex(`Session ${sid} is open already.`);
    if (sequence !== 0) throw brokenMultiplex('A SYN packet has the sequence number 0.');
    if (this.#sessions.size >= mostSessions) throw brokenMultiplex(`More than ${mostSessions} sessions are open.`);
    const session = new SmpSession(packet, this, this.#options);
    this.#finished.delete(sid);
    this.#sessions.set(sid, session);
    this.#events.accept(session);
  }

  /** Minds the memory of sessions, and the time of a packet that has begun to come. */
  #watch(): void {
    if (this.#stopped) return;
    this.#memory.set(this.#parser.partial);
    clearTimeout(this.#overdue);
    if (this.#parser.partial === 0) return;
    const { messageTimeout } = this.#options.limits;
    const late = brokenMultiplex(`A packet did not come whole within ${messageTimeout} milliseconds.`);
    this.#overdue = setTimeout(() => this.#fail(late), messageTimeout).unref();
  }

  /** Who has sent goes to the end of the line. */
  #pumpAll(): void {
    for (const [sid, session] of [...this.#sessions]) {
      if (!this.hasRoom) break;
      session.pump();
      if (this.#sessions.delete(sid)) this.#sessions.set(sid, session);
    }
    if (!this.hasRoom) this.awaitRoom();
  }
}
