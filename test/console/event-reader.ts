import type { RouteDeclaration, RouteEvent, RouteOutput } from '../../src/console/api/declare.ts';
import type { ConsoleCaller } from './console-caller.ts';

type Followed = Pick<RouteDeclaration, 'path' | 'events' | 'output'>;

/** What an event of a route carries: its own, or what the route answers otherwise. */
type EventOf<R> = unknown extends RouteEvent<R> ? RouteOutput<R> : RouteEvent<R>;

/** Reads the server-sent events of a route, one after another, as their schema says. */
export class EventReader<R extends Followed> implements AsyncDisposable {
  readonly #route: R;
  readonly #abort = new AbortController();
  readonly #reader: AsyncIterator<Uint8Array>;
  #text = '';
  lastId = '';

  private constructor(route: R, body: AsyncIterable<Uint8Array>) {
    this.#route = route;
    this.#reader = body[Symbol.asyncIterator]();
  }

  static async open<R extends Followed>(
    caller: ConsoleCaller,
    route: R,
    query: Readonly<Record<string, string>> = {},
    lastId?: string,
  ): Promise<EventReader<R>> {
    const url = new URL(route.path, caller.at);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const abort = new AbortController();
    const response = await fetch(url, {
      headers: {
        accept: 'text/event-stream',
        cookie: caller.cookie,
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      },
      signal: abort.signal,
    });
    if (!response.ok || response.body === null) throw new Error(`${response.status}: ${await response.text()}`);
    const reader = new EventReader(route, response.body);
    reader.#abort.signal.addEventListener('abort', () => abort.abort());
    return reader;
  }

  /** The next event. */
  async next(): Promise<EventOf<R>> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data === undefined) continue;
        this.lastId = /^id: (.*)$/m.exec(block)?.[1] ?? '';
        const schema = this.#route.events ?? this.#route.output;
        const read: unknown = schema?.read(JSON.parse(data), 'event');
        return read as EventOf<R>; // read by the schema of this very route
      }
      const { done, value } = await this.#reader.next();
      if (done) throw new Error('The stream of events ended.');
      this.#text += Buffer.from(value).toString();
    }
  }

  /** The first value that is found in the events to come. */
  async until<T>(find: (event: EventOf<R>) => T | undefined): Promise<T> {
    for (;;) {
      const found = find(await this.next());
      if (found !== undefined) return found;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#reader.return?.().catch(() => {});
  }
}
