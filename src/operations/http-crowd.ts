import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Connections at once. */
const most = 256;

/** The most that one connection may send: four times the greatest body of the console, and room for headers. */
const mostBytes = 17 * 1024 * 1024;

/** Milliseconds between two looks at how much each has sent. */
const lookEvery = 100;

/** A connection, and the requests of it that are being answered. */
interface Visitor {
  answering: number;
  /** What it had sent when its last request was answered. */
  before: number;
}

/**
 * Minds the connections of a listener: where there are too many, the one that has been there for longest and asks for
 * nothing makes room, so that silent or slow ones keep nobody from the health of the server; and who sends without end
 * is cut off.
 */
export class HttpCrowd {
  readonly #visitors = new Map<Socket, Visitor>();
  #timer: NodeJS.Timeout | undefined;

  constructor(server: Server) {
    // For TLS as well: what counts is the socket below.
    server.on('connection', (socket: Socket) => this.#enter(socket));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#asked(request, response));
  }

  #enter(socket: Socket): void {
    if (this.#visitors.size >= most) this.#makeRoom();
    this.#visitors.set(socket, { answering: 0, before: 0 });
    this.#timer ??= setInterval(() => this.#look(), lookEvery).unref();
    socket.once('close', () => {
      this.#visitors.delete(socket);
      if (this.#visitors.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
  }

  #makeRoom(): void {
    for (const [socket, { answering }] of this.#visitors) {
      if (answering > 0) continue;
      this.#visitors.delete(socket);
      socket.destroy();
      return;
    }
  }

  #asked({ socket }: IncomingMessage, response: ServerResponse): void {
    const below = this.#below(socket);
    const visitor = this.#visitors.get(below);
    if (visitor === undefined) return;
    visitor.answering++;
    response.once('close', () => {
      visitor.answering--;
      visitor.before = below.bytesRead;
    });
  }

  /** The socket that a request came through, below TLS if there is some. */
  #below(socket: Socket): Socket {
    if (this.#visitors.has(socket)) return socket;
    const isIt = (each: Socket) => each.remotePort === socket.remotePort && each.remoteAddress === socket.remoteAddress;
    return this.#visitors.keys().find(isIt) ?? socket;
  }

  #look(): void {
    for (const [socket, { before }] of this.#visitors) if (socket.bytesRead - before > mostBytes) socket.destroy();
  }
}
