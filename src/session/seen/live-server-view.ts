import type { Accounts } from '../../accounts/accounts.ts';
import type { Clock } from '../../base/clock.ts';
import type { Engine } from '../../engine/engine.ts';
import { systemDatabases } from '../../engine/names.ts';
import type { Kind } from '../../procedure/kind.ts';
import { AppLocks, type LockEntry, lockLetters } from '../../procedure/locks/app-locks.ts';
import { NodeAppLocks } from '../../procedure/locks/node-app-locks.ts';
import type { DatabaseEntry, LoginEntry, ServerView, SessionEntry, WaitEntry } from '../../procedure/server-view.ts';
import type { TempDb } from '../../tsql/storage/temp-db.ts';
import type { Session } from '../session.ts';

/** The sessions that are there now. */
export interface Sessions {
  all(): readonly Session[];
}

/** What the view is a view of, besides the sessions. */
interface ViewOptions extends Pick<ServerView, 'threads' | 'administration'> {
  readonly serverName: string;
  readonly version: string;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly accounts: Accounts;
  readonly kinds: readonly Kind[];
  readonly tempDb: Pick<TempDb, 'lockWaits'>;
}

/** A lock that is waited for, as a wait; none for one that is held. */
function waitOf({ owner, mode, blockedBy, since, resource }: LockEntry, now: number): WaitEntry[] {
  if (blockedBy === undefined || since === undefined) return [];
  const isTable = resource.database === 'tempdb' && resource.principal === '';
  return [
    {
      spid: owner.spid,
      blockedBy,
      since: new Date(now - (performance.now() - since)),
      mode: lockLetters[mode],
      resource: `${isTable ? 'OBJECT' : 'APPLICATION'}: ${resource.name}`,
      database: resource.database,
    },
  ];
}

/** The running server as procedures and catalog views see it. */
export class LiveServerView implements ServerView {
  readonly name: string;
  readonly version: string;
  readonly started: Date;
  readonly locks: AppLocks;
  readonly threads: ServerView['threads'];
  readonly #options: ViewOptions;
  readonly #sessions: Sessions;
  readonly #kinds: ReadonlyMap<string, Kind>;

  get administration(): ServerView['administration'] {
    return this.#options.administration;
  }

  constructor(options: ViewOptions, sessions: Sessions) {
    this.name = options.serverName;
    this.version = options.version;
    this.started = options.clock.now();
    this.threads = options.threads;
    const shared = options.engine.sharedLocks;
    this.locks = shared === undefined ? new AppLocks() : new NodeAppLocks(shared, (spid) => this.endSession(spid));
    this.#options = options;
    this.#sessions = sessions;
    this.#kinds = new Map(options.kinds.map((kind) => [kind.name, kind]));
  }

  /** SQL Server's own four first, under the numbers that they have there, then the engine's, which count from 5. */
  async databases(): Promise<readonly DatabaseEntry[]> {
    const { engine } = this.#options;
    const suspects = engine.suspects();
    const own = (await engine.list()).map((each) => ({ ...each, isSuspect: suspects.has(each.name) }));
    return [...systemDatabases.map((name, i) => ({ name, kind: 'system', id: i + 1, created: this.started })), ...own];
  }

  sizes(): ReturnType<ServerView['sizes']> {
    return this.#options.engine.sizes();
  }

  kind(name: string): Kind | undefined {
    return this.#kinds.get(name);
  }

  sessions(): readonly SessionEntry[] {
    return this.#sessions.all().flatMap((session) => session.entry() ?? []);
  }

  lockEntries(): readonly LockEntry[] {
    return this.locks.list();
  }

  async waits(): Promise<readonly WaitEntry[]> {
    const now = this.#options.clock.now().getTime();
    const inDatabases = (await this.#options.engine.waits()).map(({ who, blockedBy, milliseconds, database }) => ({
      spid: who,
      blockedBy,
      since: new Date(now - milliseconds),
      mode: 'X',
      resource: `DATABASE: ${database}`,
      database,
    }));
    const locks = [...this.locks.waiting(), ...this.#options.tempDb.lockWaits()];
    return [...inDatabases, ...locks.flatMap((lock) => waitOf(lock, now))];
  }

  endSession(spid: number): boolean {
    const session = this.#sessions.all().find((each) => each.spid === spid);
    session?.cut();
    return session !== undefined;
  }

  logins(): Promise<readonly LoginEntry[]> {
    return this.#options.accounts.list();
  }
}
