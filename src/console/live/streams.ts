import { Tally } from '../../base/log/tally.ts';
import type { Vouched } from '../../base/vouched.ts';
import type { ConsoleRole } from '../answer.ts';
import type { ConsoleServer } from '../console-server.ts';
import type { Caller } from '../identify.ts';
import { refused } from '../refusal.ts';
import { roleOf } from '../role-of.ts';
import type { Visits } from '../visits.ts';

/** Streams of events that are open at once, of one login and of all: the listener has connections for others too. */
const mostOfLogin = 64;
const most = 160;

/** Milliseconds between two checks whether followers still have access. */
const usualDoubt = 2_000;

/** Where roles are looked up. */
type Holders = { readonly accounts: Pick<ConsoleServer['accounts'], 'standing'> };

/** Somebody who follows, and what ends that. */
interface Follower {
  readonly login: string;
  readonly caller: Caller | undefined;
  readonly refusedNow: AbortController;
}

/** The role that was found, if any; undefined if it could not be checked, which ends nothing. */
type Look = { readonly role: ConsoleRole | undefined } | undefined;

const looked = (server: Holders, who: Vouched): Promise<Look> =>
  roleOf(server, who).then(
    (role) => ({ role }),
    () => undefined,
  );

/**
 * The streams of events that are open; each ends with the visit that it belongs to, or when the role of its login
 * changes.
 */
export class Streams {
  readonly #server: Holders;
  readonly #visits: Pick<Visits, 'find'>;
  readonly #open = new Set<Follower>();
  readonly #ofLogin = new Tally<string>();
  readonly #doubtEvery: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(server: Holders, visits: Pick<Visits, 'find'>, doubtEvery = usualDoubt) {
    this.#server = server;
    this.#visits = visits;
    this.#doubtEvery = doubtEvery;
  }

  /** Opens a stream; 429 if its login has too many. Its signal is aborted when it ends. */
  open(caller: Caller | undefined, hungUp: AbortSignal): Disposable & { readonly signal: AbortSignal } {
    const login = caller?.who.login ?? '';
    const own = this.#ofLogin.of(login);
    if (own >= mostOfLogin || (this.#open.size >= most && !this.#makeRoom(own)))
      throw refused(429, 'Too many pages are already following the server.');
    const follower: Follower = { login, caller, refusedNow: new AbortController() };
    this.#open.add(follower);
    this.#ofLogin.change(login, 1);
    this.#timer ??= setInterval(() => void this.#doubt(), this.#doubtEvery).unref();
    const over = caller?.visit === undefined ? [] : [caller.visit.over.signal];
    return {
      signal: AbortSignal.any([hungUp, follower.refusedNow.signal, ...over]),
      [Symbol.dispose]: () => {
        this.#forget(follower);
        if (this.#open.size > 0) return;
        clearInterval(this.#timer);
        this.#timer = undefined;
      },
    };
  }

  /**
   * Ends the oldest stream of the login that has most of them, if that is more than the one has who asks: a few logins
   * keep nobody out.
   */
  #makeRoom(own: number): boolean {
    let leaving: Follower | undefined;
    for (const each of this.#open)
      if (this.#ofLogin.of(each.login) > (leaving === undefined ? own + 1 : this.#ofLogin.of(leaving.login)))
        leaving = each;
    if (leaving === undefined) return false;
    this.#forget(leaving);
    leaving.refusedNow.abort();
    return true;
  }

  #forget(follower: Follower): void {
    if (this.#open.delete(follower)) this.#ofLogin.change(follower.login, -1);
  }

  /**
   * Following counts as activity: it extends the visit like a request, up to its limit. The role is checked once for
   * all of a login.
   */
  async #doubt(): Promise<void> {
    const looks = new Map<string, Promise<Look>>();
    const followed = async ({ caller, refusedNow }: Follower) => {
      if (caller === undefined) return;
      const { who, key } = caller;
      const isGone = key !== undefined && this.#visits.find(key) === undefined;
      const logins = JSON.stringify(who.through);
      const look = looks.get(logins) ?? looked(this.#server, who);
      looks.set(logins, look);
      const found = await look;
      if (isGone || (found !== undefined && found.role !== caller.role)) refusedNow.abort();
    };
    await Promise.all([...this.#open].map(followed));
  }
}
