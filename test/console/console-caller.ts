import type { RouteDeclaration, RouteInput, RouteOutput } from '../../src/console/api/declare.ts';
import { logIn } from '../../src/console/api/session.ts';
import { password, type TestServer } from '../support/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: a declaration is invariant in its schemas; only `any` names "some route".
type AnyRoute = RouteDeclaration<any, any, any, any, any>;

/** What was refused. */
export interface Refused {
  readonly status: number;
  readonly error: { readonly message: string; readonly number?: number; readonly line?: number };
}

/** Where the console of a test server is. */
export const consoleAt = (server: TestServer): string => `http://${server.granary.httpAddress}`;

/** Somebody who uses the interface of the console as its pages do: with a cookie and a token, over HTTP. */
export class ConsoleCaller {
  readonly at: string;
  cookie = '';
  csrf = '';
  /** Headers that go out with every request besides. */
  headers: Record<string, string> = {};

  constructor(at: string) {
    this.at = at;
  }

  /** Logs in, as sa unless told otherwise. */
  static async logIn(server: TestServer, login = 'sa', word = password): Promise<ConsoleCaller> {
    const caller = new ConsoleCaller(consoleAt(server));
    const { csrf } = await caller.call(logIn, { login, password: word });
    caller.csrf = csrf;
    return caller;
  }

  /** Asks; the answer is checked by the schema of the route, whose declaration the pages trust. */
  async call<R extends AnyRoute>(route: R, input: RouteInput<R>): Promise<RouteOutput<R>> {
    const response = await this.send(route, input);
    const answered: unknown = await response.json();
    if (!response.ok) throw new Error(`${route.method} ${route.path}: ${response.status} ${JSON.stringify(answered)}`);
    return route.output?.read(answered, route.path);
  }

  /** Asks for something that is to be refused. */
  async refused<R extends AnyRoute>(route: R, input: RouteInput<R>): Promise<Refused> {
    const response = await this.send(route, input);
    const answered = (await response.json()) as Pick<Refused, 'error'>;
    if (response.ok) throw new Error(`${route.method} ${route.path} was not refused: ${JSON.stringify(answered)}`);
    return { status: response.status, error: answered.error };
  }

  async send(route: AnyRoute, input: Readonly<Record<string, unknown>>): Promise<Response> {
    const left = { ...input };
    const take = (name: string) => {
      const value = left[name];
      delete left[name];
      return value;
    };
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(take(name))));
    const url = new URL(path, this.at);
    for (const name of Object.keys(route.query)) {
      const value = take(name);
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const response = await fetch(url, {
      method: route.method,
      headers: {
        ...(this.cookie === '' ? {} : { cookie: this.cookie, 'x-granary-csrf': this.csrf }),
        ...(route.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.headers,
      },
      ...(route.body === undefined ? {} : { body: JSON.stringify(left) }),
    });
    const [set = ''] = response.headers.getSetCookie();
    if (set !== '') this.cookie = set.split(';')[0] ?? '';
    return response;
  }
}
