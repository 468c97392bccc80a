import type { Socket } from 'node:net';
import { nextTurn, thisRound, workingFor } from '../base/threads/rota.ts';

/**
 * Milliseconds per round of the event loop for parsing what all clients together have sent; long chunks that come when
 * they are used up wait for a turn. Tests change it.
 */
export const parsing = { quota: 5 };
/** Chunks up to this size never wait: a request of the usual size must not stand in line behind a flood. */
const shortChunk = 4096;

let round = -1;
/** Milliseconds that have been used in it. */
let used = 0;

function usedInRound(): number {
  const now = thisRound();
  if (now !== round) {
    round = now;
    used = 0;
  }
  return used;
}

/**
 * What a client sends, chunk by chunk, at most for a share of each round of the event loop: the system hands over two
 * megabytes of a socket at once, and as many of each other one, which takes long to parse if the packets are tiny.
 */
export class SocketInput {
  readonly #socket: Socket;
  readonly #take: (chunk: Buffer) => void;
  /** Whose turns it takes: the client's address, and once it has logged in, its login. */
  who: string;
  #isWanted = true;
  #isDropped = false;
  /** What waits for its turn. */
  #held: Buffer[] = [];

  constructor(socket: Socket, take: (chunk: Buffer) => void) {
    this.#socket = socket;
    this.#take = take;
    this.who = socket.remoteAddress ?? '';
    socket.on('data', (chunk: Buffer) => this.#accept(chunk));
  }

  pause(): void {
    this.#isWanted = false;
    this.#socket.pause();
  }

  resume(): void {
    this.#isWanted = true;
    if (this.#held.length === 0) this.#socket.resume();
  }

  /** Nobody wants what still arrives: it is read in turns, however little it takes to drop it. */
  drop(): void {
    this.#isDropped = true;
    this.resume();
  }

  isPaused(): boolean {
    return !this.#isWanted;
  }

  #accept(chunk: Buffer): void {
    if (this.#isInTime(chunk)) {
      this.#parse(chunk);
      return;
    }
    this.#held.push(chunk);
    this.#socket.pause();
    if (this.#held.length === 1) void workingFor(this.who, nextTurn).then(() => this.#continue());
  }

  #isInTime({ length }: Buffer): boolean {
    if (this.#held.length > 0 || this.#isDropped) return false;
    return length <= shortChunk || usedInRound() < parsing.quota;
  }

  #continue(): void {
    const held = this.#held;
    this.#held = [];
    for (const chunk of held) this.#parse(chunk);
    if (this.#isWanted) this.#socket.resume();
  }

  #parse(chunk: Buffer): void {
    // Most are short, and take less than it would to measure them.
    if (chunk.length <= shortChunk) {
      this.#take(chunk);
      return;
    }
    const before = usedInRound();
    const began = performance.now();
    this.#take(chunk);
    used = before + performance.now() - began;
  }
}
