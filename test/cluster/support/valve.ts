import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../../support/postgres.ts';

/** The way from a node to its PostgreSQL, which can be shut: then neither hears of the other, as when the node stands still. */
export class Valve implements AsyncDisposable {
  readonly url: string;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #listener;

  private constructor(target: URL, port: number) {
    const url = new URL(target.href);
    url.host = `127.0.0.1:${port}`;
    this.url = url.href;
    this.#listener = createServer((node) => {
      const store = connect(Number(target.port), target.hostname);
      const pair = [node, store] as const;
      this.#pairs.add(pair);
      for (const socket of pair) {
        socket.on('error', () => {});
        // One that is broken does not end the other by itself.
        socket.on('close', () => {
          this.#pairs.delete(pair);
          for (const each of pair) each.destroy();
        });
      }
      join(pair);
    });
  }

  static async open(url: string): Promise<Valve> {
    const port = await freePort();
    const valve = new Valve(new URL(url), port);
    await new Promise<void>((resolve) => valve.#listener.listen(port, '127.0.0.1', resolve));
    return valve;
  }

  shut(): void {
    for (const [node, store] of this.#pairs) {
      node.unpipe(store).pause();
      store.unpipe(node).pause();
    }
  }

  openAgain(): void {
    for (const pair of this.#pairs) join(pair);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
    await new Promise((resolve) => this.#listener.close(resolve));
  }
}

function join([node, store]: readonly [Socket, Socket]): void {
  node.pipe(store);
  store.pipe(node);
}
