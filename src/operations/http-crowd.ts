import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Tally } from '../base/log/tally.ts';

/** The maximum number of connections; twice as many if each of them has a request in progress. */
const most = 256;
const mostAnswering = 2 * most;

/** Concurrent requests of one connection: browsers send the next when they have a response. */
const mostAhead = 16;

/**
 * Milliseconds that a client may leave its response unread; and bytes per millisecond, since progress is reported only
 * when everything written at once has gone.
 */
const usualPatience = 60_000;
const slowest = 100;

/** The most that one connection may send: four times the greatest body of the console, and room for headers. */
const mostBytes = 17 * 1024 * 1024;

/** Milliseconds between two checks of how much each has sent. */
const lookEvery = 100;

/** A connection, and the requests of it that are being answered. */
interface Visitor {
  readonly address: string | undefined;
  readonly answering: Set<ServerResponse>;
  /** What it had sent when its last request was answered. */
  before: number;
  /** Bytes of responses that it has read, and for how many milliseconds of checking it has read no more. */
  taken: number;
  idle: number;
}

/**
 * Limits the connections of a listener: when there are too many, the one that has been idle longest is closed, so that
 * silent or slow ones keep nobody from the health of the server; if all have requests, one of the address with the
 * most. A client that sends without end, or does not read its response, is disconnected.
 */
export class HttpCrowd {
  readonly #visitors = new Map<Socket, Visitor>();
  readonly #patience: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(server: Server, patience = usualPatience) {
    this.#patience = patience;
    // For TLS as well: the underlying socket counts.
    server.on('connection', (socket: Socket) => this.#enter(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#asked(request, response));
  }

  #enter(socket: Socket): void {
    if (this.#visitors.size >= most) this.#makeRoom();
    this.#visitors.set(socket, { address: socket.remoteAddress, answering: new Set(), before: 0, taken: 0, idle: 0 });
    this.#timer ??= setInterval(() => this.#look(), lookEvery).unref();
    socket.once('close', () => {
      this.#visitors.delete(socket);
      if (this.#visitors.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
  }

  #makeRoom(): void {
    const isIdle = ([, { answering }]: readonly [Socket, Visitor]) => answering.size === 0;
    const leaving =
      this.#visitors.entries().find(isIdle) ??
      (this.#visitors.size < mostAnswering ? undefined : this.#longestUnanswered());
    if (leaving === undefined) return;
    this.#visitors.delete(leaving[0]);
    leaving[0].destroy();
  }

  /**
   * Of the address with the most connections, the one that has waited longest: for its own bytes, or for a response
   * that has not begun.
   */
  #longestUnanswered(): readonly [Socket, Visitor] | undefined {
    const ofAddress = new Tally<string | undefined>();
    for (const { address } of this.#visitors.values()) ofAddress.change(address, 1);
    const hasNoAnswer = ({ answering }: Visitor) => !answering.values().some(({ headersSent }) => headersSent);
    let found: readonly [Socket, Visitor] | undefined;
    for (const entry of this.#visitors) {
      const isOfMore = found === undefined || ofAddress.of(entry[1].address) > ofAddress.of(found[1].address);
      if (isOfMore && hasNoAnswer(entry[1])) found = entry;
    }
    return found;
  }

  #asked({ socket }: IncomingMessage, response: ServerResponse): void {
    const below = this.#below(socket);
    const visitor = this.#visitors.get(below);
    if (visitor === undefined) return;
    visitor.answering.add(response);
    if (visitor.answering.size > mostAhead) below.destroy();
    response.once('close', () => {
      visitor.answering.delete(response);
      visitor.before = below.bytesRead;
    });
  }

  /** The socket of a request, below TLS if it is used. */
  #below(socket: Socket): Socket {
    if (this.#visitors.has(socket)) return socket;
    const isIt = (each: Socket) => each.remotePort === socket.remotePort && each.remoteAddress === socket.remoteAddress;
    return this.#visitors.keys().find(isIt) ?? socket;
  }

  #look(): void {
    for (const [socket, visitor] of this.#visitors) {
      if (socket.bytesRead - visitor.before > mostBytes || this.#isStalled(visitor)) socket.destroy();
    }
  }

  /**
   * True for a client that has had unread bytes of a response for too long; while nobody checks it may have read some.
   */
  #isStalled(visitor: Visitor): boolean {
    const [answer] = visitor.answering;
    const { bytesWritten = 0, writableLength = 0 } = answer?.socket ?? {};
    const taken = bytesWritten - writableLength;
    const isWaiting = writableLength > 0 && taken === visitor.taken;
    visitor.taken = taken;
    visitor.idle = isWaiting ? visitor.idle + lookEvery : 0;
    return visitor.idle > this.#patience + writableLength / slowest;
  }
}
