import { sqlError } from '../../base/messages/sql-error.ts';

/** The modes of sp_getapplock. */
export const lockModes = ['IntentShared', 'Shared', 'Update', 'IntentExclusive', 'Exclusive'] as const;
/** One of those modes. */
export type LockMode = (typeof lockModes)[number];

/** The letters that SQL Server shows for the modes. */
export const lockLetters: Readonly<Record<LockMode, string>> = {
  IntentShared: 'IS',
  Shared: 'S',
  Update: 'U',
  IntentExclusive: 'IX',
  Exclusive: 'X',
};

/** The owner of a lock: it is released with the session's transaction or with the session. */
export interface LockOwner {
  readonly spid: number;
  readonly scope: 'Transaction' | 'Session';
  /** The login whose limit it counts towards. */
  readonly login?: string;
}

/** What is locked: a name, in a database, for a principal. */
export interface LockResource {
  readonly database: string;
  readonly principal: string;
  readonly name: string;
}

/** A lock as sys.dm_tran_locks lists it. */
export interface LockEntry {
  readonly resource: LockResource;
  readonly owner: LockOwner;
  readonly mode: LockMode;
  readonly status: 'granted' | 'waiting';
  /** For a waiting request: a session that blocks it, and since when by `performance.now()`. */
  readonly blockedBy?: number;
  readonly since?: number;
}

/** A requested lock. */
export interface LockRequest {
  readonly owner: LockOwner;
  readonly mode: LockMode;
  /** Milliseconds to wait; -1 means forever. */
  readonly timeout: number;
}

/** How a request for a lock ended. */
export type LockResult = 'granted' | 'granted after waiting' | 'timed out' | 'cancelled' | 'deadlock';

/** The maximum number of locks per session, and per login: more is error 1204, as when SQL Server runs out of locks. */
const mostOfSession = 10_000;
const mostOfLogin = 20_000;

/** The compatible modes: those that two sessions may hold at the same time. */
const compatible: Readonly<Record<LockMode, readonly LockMode[]>> = {
  IntentShared: ['IntentShared', 'Shared', 'Update', 'IntentExclusive'],
  Shared: ['IntentShared', 'Shared', 'Update'],
  Update: ['IntentShared', 'Shared'],
  IntentExclusive: ['IntentShared', 'IntentExclusive'],
  Exclusive: [],
};

interface Grant {
  readonly owner: LockOwner;
  readonly mode: LockMode;
}

interface Waiter extends Grant {
  readonly since: number;
  readonly settle: (result: LockResult) => void;
}

/** The state of one resource: its holders, and its waiters in order of arrival. */
interface Holding {
  readonly resource: LockResource;
  readonly granted: Grant[];
  readonly waiting: Waiter[];
}

/** The modes that are incompatible with each mode. */
export const conflictsWith = (mode: LockMode): readonly LockMode[] =>
  lockModes.filter((other) => !compatible[mode].includes(other));

/** Databases and principals are case-insensitive; the resource's own name is compared byte by byte. */
export const keyOf = ({ database, principal, name }: LockResource): string =>
  JSON.stringify([database.toLowerCase(), principal.toLowerCase(), name]);

const ownerKey = ({ spid, scope }: LockOwner): string => `${spid} ${scope}`;

function change<K>(counts: Map<K, number>, key: K, by: number): void {
  const now = (counts.get(key) ?? 0) + by;
  if (now > 0) counts.set(key, now);
  else counts.delete(key);
}

const sameOwner = (a: LockOwner, b: LockOwner) => a.spid === b.spid && a.scope === b.scope;

const holds = ({ granted }: Pick<Holding, 'granted'>, spid: number) => granted.some(({ owner }) => owner.spid === spid);

/** Whether a held lock conflicts with a session's request; its own locks never do. */
const blocks = (grant: Grant, spid: number, mode: LockMode): boolean =>
  grant.owner.spid !== spid && !compatible[mode].includes(grant.mode);

/** The sessions that block a request. */
const blockersOf = ({ granted }: Pick<Holding, 'granted'>, spid: number, mode: LockMode): number[] =>
  granted.filter((grant) => blocks(grant, spid, mode)).map((grant) => grant.owner.spid);

/** Those who wait for a resource, each with one of those whom it waits for: there may be thousands of both. */
const waitingFor = ({ resource, granted, waiting }: Holding): LockEntry[] =>
  waiting.map(({ owner, mode, since }, at) => {
    const ahead = granted.find((grant) => blocks(grant, owner.spid, mode)) ?? waiting[at - 1];
    const blocked = ahead === undefined ? {} : { blockedBy: ahead.owner.spid };
    return { resource, owner, mode, status: 'waiting', since, ...blocked };
  });

/**
 * The position of a request in the queue: at the end, but requests for a stronger mode go before those of sessions
 * without a lock.
 */
function placeOf(holding: Holding, { spid }: LockOwner): number {
  const { waiting } = holding;
  const newcomer = waiting.findIndex(({ owner }) => !holds(holding, owner.spid));
  return holds(holding, spid) && newcomer >= 0 ? newcomer : waiting.length;
}

/** The waiters for one resource: one that is ahead of several others is reported once, since thousands may wait. */
class Queue {
  readonly #holding: Holding;
  readonly #places: ReadonlyMap<Waiter, number>;
  readonly #modes = new Set<LockMode>();
  #told = 0;

  constructor(holding: Holding) {
    this.#holding = holding;
    this.#places = new Map(holding.waiting.map((waiter, at) => [waiter, at]));
  }

  /** The sessions that a waiter waits for, but for those that were told before. */
  *aheadOf(waiter: Waiter): Generator<number> {
    const { waiting } = this.#holding;
    const { mode, owner } = waiter;
    if (!this.#modes.has(mode)) yield* blockersOf(this.#holding, owner.spid, mode);
    this.#modes.add(mode);
    const place = this.#places.get(waiter) ?? 0;
    for (; this.#told < place; this.#told++) yield waiting[this.#told]?.owner.spid ?? owner.spid;
  }
}

/** The sp_getapplock locks of the sessions of one process, by database and resource name. */
export class AppLocks {
  readonly #holdings = new Map<string, Holding>();
  /** The locks by owner, so that releasing one owner's costs nothing for those of others. */
  readonly #ofOwner = new Map<string, Map<string, Holding>>();
  /** What sessions wait for. */
  readonly #waitsOf = new Map<number, Set<{ readonly holding: Holding; readonly waiter: Waiter }>>();
  readonly #ofSession = new Map<number, number>();
  readonly #ofLogin = new Map<string, number>();

  /** Locks that all sessions of one login may hold. */
  protected get mostOfLogin(): number {
    return mostOfLogin;
  }

  /** Takes a lock, waiting up to `timeout` milliseconds (-1 for ever) while another session holds it. */
  async acquire(resource: LockResource, request: LockRequest, signal: AbortSignal): Promise<LockResult> {
    const { owner, mode, timeout } = request;
    const ofLogin = owner.login === undefined ? 0 : (this.#ofLogin.get(owner.login) ?? 0);
    if ((this.#ofSession.get(owner.spid) ?? 0) >= mostOfSession || ofLogin >= this.mostOfLogin) throw sqlError(1204);
    const key = keyOf(resource);
    const holding: Holding = this.#holdings.get(key) ?? { resource, granted: [], waiting: [] };
    this.#holdings.set(key, holding);
    const place = placeOf(holding, owner);
    const blockers = blockersOf(holding, owner.spid, mode);
    const ahead = [...blockers, ...holding.waiting.slice(0, place).map((waiter) => waiter.owner.spid)];
    if (ahead.length === 0) {
      this.#grant(key, holding, { owner, mode });
      return 'granted';
    }
    if (timeout === 0) return 'timed out';
    if (this.#leadsBack(owner.spid, ahead)) return 'deadlock';
    if (signal.aborted) return 'cancelled';
    return new Promise((resolve) => {
      const settle = (result: LockResult) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        holding.waiting.splice(holding.waiting.indexOf(waiter), 1);
        waits.delete(wait);
        if (waits.size === 0) this.#waitsOf.delete(owner.spid);
        if (result === 'granted after waiting') this.#grant(key, holding, waiter);
        else this.#serve(key, holding);
        resolve(result);
      };
      const waiter: Waiter = { owner, mode, since: performance.now(), settle };
      const cancel = () => settle('cancelled');
      const timer = timeout < 0 ? undefined : setTimeout(() => settle('timed out'), timeout);
      signal.addEventListener('abort', cancel, { once: true });
      holding.waiting.splice(place, 0, waiter);
      const wait = { holding, waiter };
      const waits = (this.#waitsOf.get(owner.spid) ?? new Set()).add(wait);
      this.#waitsOf.set(owner.spid, waits);
    });
  }

  /** Releases the most recently taken lock; false if the owner has none on the resource. */
  release(resource: LockResource, owner: LockOwner): boolean {
    const key = keyOf(resource);
    const holding = this.#holdings.get(key);
    const at = holding?.granted.findLastIndex((grant) => sameOwner(grant.owner, owner)) ?? -1;
    if (!holding || at < 0) return false;
    const gone = holding.granted.splice(at, 1);
    if (!holding.granted.some((grant) => sameOwner(grant.owner, owner))) this.#forget(ownerKey(owner), key);
    this.#given(resource, gone);
    this.#serve(key, holding);
    return true;
  }

  /** Resolves when what was released is free for everyone. */
  async settled(): Promise<void> {}

  /** Called for each released lock. */
  protected given(_resource: LockResource, _mode: LockMode): void {}

  /** Releases everything that an owner holds, at the end of a transaction or session. */
  releaseAll(owner: LockOwner): Promise<void> | undefined {
    const held = this.#ofOwner.get(ownerKey(owner));
    if (held === undefined) return undefined;
    this.#ofOwner.delete(ownerKey(owner));
    for (const [key, holding] of held) {
      const gone = holding.granted.filter((grant) => sameOwner(grant.owner, owner));
      const kept = holding.granted.filter((grant) => !sameOwner(grant.owner, owner));
      holding.granted.splice(0, holding.granted.length, ...kept);
      this.#given(holding.resource, gone);
      this.#serve(key, holding);
    }
    return undefined;
  }

  /** True if a session holds a lock that others may wait for. */
  holdsAny(spid: number): boolean {
    return (this.#ofSession.get(spid) ?? 0) > 0;
  }

  /** Every lock that is held or waited for. */
  list(): LockEntry[] {
    return [...this.#holdings.values()].flatMap((holding) => [
      ...holding.granted.map(
        ({ owner, mode }): LockEntry => ({ resource: holding.resource, owner, mode, status: 'granted' }),
      ),
      ...waitingFor(holding),
    ]);
  }

  /** Every lock that somebody waits for; the others cost nothing, however many there are. */
  waiting(): LockEntry[] {
    return [...this.#queues].flatMap(waitingFor);
  }

  get #queues(): Set<Holding> {
    return new Set([...this.#waitsOf.values()].flatMap((waits) => [...waits].map(({ holding }) => holding)));
  }

  #grant(key: string, holding: Holding, { owner, mode }: Grant): void {
    holding.granted.push({ owner, mode });
    const held = this.#ofOwner.get(ownerKey(owner)) ?? new Map<string, Holding>();
    this.#ofOwner.set(ownerKey(owner), held.set(key, holding));
    change(this.#ofSession, owner.spid, 1);
    if (owner.login !== undefined) change(this.#ofLogin, owner.login, 1);
  }

  #given(resource: LockResource, gone: readonly Grant[]): void {
    for (const { owner, mode } of gone) {
      this.given(resource, mode);
      change(this.#ofSession, owner.spid, -1);
      if (owner.login !== undefined) change(this.#ofLogin, owner.login, -1);
    }
  }

  #forget(owner: string, key: string): void {
    const held = this.#ofOwner.get(owner);
    held?.delete(key);
    if (held?.size === 0) this.#ofOwner.delete(owner);
  }

  #serve(key: string, holding: Holding): void {
    for (const waiter of [...holding.waiting]) {
      if (blockersOf(holding, waiter.owner.spid, waiter.mode).length > 0) break;
      waiter.settle('granted after waiting');
    }
    if (holding.granted.length === 0 && holding.waiting.length === 0) this.#holdings.delete(key);
  }

  /** A session and those that wait, directly or through others, for it. */
  protected behind(spid: number): Set<number> {
    const found = new Set([spid]);
    const queues = this.#queues;
    for (let before = 0; before < found.size; ) {
      before = found.size;
      for (const { granted, waiting } of queues) {
        let isAhead = false;
        for (const { owner, mode } of waiting) {
          if (isAhead || blockersOf({ granted }, owner.spid, mode).some((other) => found.has(other)))
            found.add(owner.spid);
          isAhead ||= found.has(owner.spid);
        }
      }
    }
    return found;
  }

  /** Whether waiting would close a cycle: those that block a session wait, directly or indirectly, for that session. */
  #leadsBack(spid: number, waitedFor: readonly number[]): boolean {
    const seen = new Set<number>();
    const queues = new Map<Holding, Queue>();
    const next = [...waitedFor];
    for (let other = next.pop(); other !== undefined; other = next.pop()) {
      if (other === spid) return true;
      if (seen.has(other)) continue;
      seen.add(other);
      for (const { holding, waiter } of this.#waitsOf.get(other) ?? []) {
        const queue = queues.get(holding) ?? new Queue(holding);
        queues.set(holding, queue);
        for (const ahead of queue.aheadOf(waiter)) next.push(ahead);
      }
    }
    return false;
  }
}
