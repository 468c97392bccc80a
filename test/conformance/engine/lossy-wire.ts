import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../support/postgres.ts';

/** What becomes of a message: it never arrives, it arrives late, or its answer does not. The connection is lost in each case. */
type Loss = 'message' | 'punctuality' | 'answer';

/** The way to a PostgreSQL, which counts messages and on which one can be lost. */
export class LossyWire implements AsyncDisposable {
  readonly url: string;
  readonly #sockets = new Set<Socket>();
  readonly #listener: Server;
  #next: Loss | undefined;
  #late: (() => void) | undefined;
  #answered: (() => void) | undefined;
  messages = 0;

  private constructor(target: URL, port: number) {
    const url = new URL(target.href);
    url.host = `127.0.0.1:${port}`;
    this.url = url.href;
    this.#listener = createServer((node) => this.#join(node, connect(Number(target.port), target.hostname)));
  }

  static async open(url: string): Promise<LossyWire> {
    const port = await freePort();
    const wire = new LossyWire(new URL(url), port);
    wire.#listener.listen(port, '127.0.0.1');
    await once(wire.#listener, 'listening');
    return wire;
  }

  /** Loses the next message in a way. */
  lose(what: Loss): void {
    this.#next = what;
  }

  /** Has the message arrive that was held back, and resolves when PostgreSQL has answered it. */
  deliver(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#late?.();
    this.#answered = resolve;
    return promise;
  }

  #join(node: Socket, store: Socket): void {
    for (const socket of [node, store]) {
      this.#sockets.add(socket);
      socket.on('error', () => {}).on('close', () => this.#sockets.delete(socket));
    }
    node.on('data', (chunk: Buffer) => {
      this.messages++;
      const loss = this.#next;
      this.#next = undefined;
      if (loss !== 'message' && loss !== 'punctuality') store.write(chunk);
      if (loss === 'message') store.destroy();
      if (loss === 'punctuality') this.#late = () => store.write(chunk);
      if (loss === 'answer') store.once('data', () => node.destroy());
      else if (loss !== undefined) node.destroy();
    });
    store.on('data', (chunk: Buffer) => {
      if (!node.destroyed) node.write(chunk);
      else this.#answered?.();
    });
    node.on('end', () => store.end());
    store.on('close', () => node.destroy());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#listener.close();
    await once(this.#listener, 'close');
  }
}
