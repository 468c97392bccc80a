import { Tally } from '../../base/tally.ts';
import type { ConsoleServer } from '../console-server.ts';
import type { Caller } from '../identify.ts';
import { refused } from '../refusal.ts';
import { roleOf } from '../role-of.ts';
import type { Visits } from '../visits.ts';

/** Streams of events that are open at once, of one login and of all: the listener has connections for others too. */
const mostOfLogin = 64;
const most = 160;

/** Milliseconds between two looks whether somebody who follows may still see. */
const doubt = 2_000;

/** The streams of events that are open; each ends with the visit that it belongs to, or when the role of its login changes. */
export class Streams {
  readonly #server: ConsoleServer;
  readonly #visits: Visits;
  readonly #open = new Tally<string>();
  #all = 0;

  constructor(server: ConsoleServer, visits: Visits) {
    this.#server = server;
    this.#visits = visits;
  }

  /** Opens a stream; 429 where there are too many. Its signal tells when it ends. */
  open(caller: Caller | undefined, hungUp: AbortSignal): Disposable & { readonly signal: AbortSignal } {
    const login = caller?.login ?? '';
    if (this.#open.of(login) >= mostOfLogin || this.#all >= most)
      throw refused(429, 'Too many pages follow the server already.');
    this.#open.change(login, 1);
    this.#all++;
    const refusedNow = new AbortController();
    const timer = setInterval(() => void this.#doubt(caller, refusedNow), doubt).unref();
    const over = caller?.visit === undefined ? [] : [caller.visit.over.signal];
    return {
      signal: AbortSignal.any([hungUp, refusedNow.signal, ...over]),
      [Symbol.dispose]: () => {
        clearInterval(timer);
        this.#all--;
        this.#open.change(login, -1);
      },
    };
  }

  /** Whoever follows is there: the visit goes on as with a request, as long as it may. */
  async #doubt(caller: Caller | undefined, refusedNow: AbortController): Promise<void> {
    if (caller === undefined) return;
    const isGone = caller.key !== undefined && this.#visits.find(caller.key) === undefined;
    const role = isGone ? undefined : await roleOf(this.#server, caller.login).catch(() => caller.role);
    if (role !== caller.role) refusedNow.abort();
  }
}
