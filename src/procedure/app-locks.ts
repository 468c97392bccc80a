/** The modes of sp_getapplock. */
export const lockModes = ['IntentShared', 'Shared', 'Update', 'IntentExclusive', 'Exclusive'] as const;
/** One of those modes. */
export type LockMode = (typeof lockModes)[number];

/** Whose lock it is: it ends with the session's transaction or with the session. */
export interface LockOwner {
  readonly spid: number;
  readonly scope: 'Transaction' | 'Session';
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
  /** For one that waits, a session that it waits for. */
  readonly blockedBy?: number;
}

/** How a request for a lock ended. */
export type LockResult = 'granted' | 'granted after waiting' | 'timed out' | 'cancelled' | 'deadlock';

/** The modes that two sessions may hold together. */
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
  readonly settle: (result: LockResult) => void;
}

/** What one resource has: who holds it, and who waits, first come first served. */
interface Holding {
  readonly resource: LockResource;
  readonly granted: Grant[];
  readonly waiting: Waiter[];
}

/** Databases and principals compare without regard to case, the resource's own name byte by byte. */
const keyOf = ({ database, principal, name }: LockResource): string =>
  JSON.stringify([database.toLowerCase(), principal.toLowerCase(), name]);

const sameOwner = (a: LockOwner, b: LockOwner) => a.spid === b.spid && a.scope === b.scope;

const holds = ({ granted }: Pick<Holding, 'granted'>, spid: number) => granted.some(({ owner }) => owner.spid === spid);

/** The sessions whose locks keep a session from having one; never itself. */
const blockersOf = ({ granted }: Pick<Holding, 'granted'>, spid: number, mode: LockMode): number[] =>
  granted
    .filter((grant) => grant.owner.spid !== spid && !compatible[mode].includes(grant.mode))
    .map((grant) => grant.owner.spid);

/** Where in the queue a session waits: at the end, but one that has a lock and wants a stronger one before those that have none. */
function placeOf(holding: Holding, { spid }: LockOwner): number {
  const { waiting } = holding;
  const newcomer = waiting.findIndex(({ owner }) => !holds(holding, owner.spid));
  return holds(holding, spid) && newcomer >= 0 ? newcomer : waiting.length;
}

/**
 * The locks of sp_getapplock, by database and resource name. They live in the memory of one process: nodes that share a
 * PostgreSQL do not see each other's.
 */
export class AppLocks {
  readonly #holdings = new Map<string, Holding>();

  /** Takes a lock, waiting up to `timeout` milliseconds (-1 for ever) while another session holds it. */
  async acquire(
    resource: LockResource,
    request: { readonly owner: LockOwner; readonly mode: LockMode; readonly timeout: number },
    signal: AbortSignal,
  ): Promise<LockResult> {
    const { owner, mode, timeout } = request;
    const key = keyOf(resource);
    const holding: Holding = this.#holdings.get(key) ?? { resource, granted: [], waiting: [] };
    this.#holdings.set(key, holding);
    const place = placeOf(holding, owner);
    const blockers = blockersOf(holding, owner.spid, mode);
    const ahead = [...blockers, ...holding.waiting.slice(0, place).map((waiter) => waiter.owner.spid)];
    if (ahead.length === 0) {
      holding.granted.push({ owner, mode });
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
        if (result === 'granted after waiting') holding.granted.push(waiter);
        else this.#serve(key, holding);
        resolve(result);
      };
      const waiter: Waiter = { owner, mode, settle };
      const cancel = () => settle('cancelled');
      const timer = timeout < 0 ? undefined : setTimeout(() => settle('timed out'), timeout);
      signal.addEventListener('abort', cancel, { once: true });
      holding.waiting.splice(place, 0, waiter);
    });
  }

  /** Gives back the lock that was taken last; false when the owner has none on the resource. */
  release(resource: LockResource, owner: LockOwner): boolean {
    const key = keyOf(resource);
    const holding = this.#holdings.get(key);
    const at = holding?.granted.findLastIndex((grant) => sameOwner(grant.owner, owner)) ?? -1;
    if (!holding || at < 0) return false;
    holding.granted.splice(at, 1);
    this.#serve(key, holding);
    return true;
  }

  /** Gives back everything that an owner holds: at the end of a transaction, or of a session. */
  releaseAll(owner: LockOwner): void {
    for (const [key, holding] of this.#holdings) {
      const kept = holding.granted.filter((grant) => !sameOwner(grant.owner, owner));
      if (kept.length === holding.granted.length) continue;
      holding.granted.splice(0, holding.granted.length, ...kept);
      this.#serve(key, holding);
    }
  }

  /** Every lock that is held or waited for. */
  list(): LockEntry[] {
    return [...this.#holdings.values()].flatMap(({ resource, granted, waiting }) => [
      ...granted.map(({ owner, mode }): LockEntry => ({ resource, owner, mode, status: 'granted' })),
      ...waiting.map(({ owner, mode }, at): LockEntry => {
        const ahead = [...blockersOf({ granted }, owner.spid, mode), waiting[at - 1]?.owner.spid];
        const blockedBy = ahead.find((spid) => spid !== undefined);
        return { resource, owner, mode, status: 'waiting', ...(blockedBy === undefined ? {} : { blockedBy }) };
      }),
    ]);
  }

  #serve(key: string, holding: Holding): void {
    for (const waiter of [...holding.waiting]) {
      if (blockersOf(holding, waiter.owner.spid, waiter.mode).length > 0) break;
      waiter.settle('granted after waiting');
    }
    if (holding.granted.length === 0 && holding.waiting.length === 0) this.#holdings.delete(key);
  }

  /** Whether those whom a session would wait for wait, directly or through others, for that session. */
  #leadsBack(spid: number, waitedFor: readonly number[]): boolean {
    const seen = new Set<number>();
    const next = [...waitedFor];
    for (let other = next.pop(); other !== undefined; other = next.pop()) {
      if (other === spid) return true;
      if (seen.has(other)) continue;
      seen.add(other);
      for (const busy of this.#holdings.values()) {
        const at = busy.waiting.findIndex(({ owner }) => owner.spid === other);
        const waiter = busy.waiting[at];
        if (!waiter) continue;
        next.push(...blockersOf(busy, other, waiter.mode));
        next.push(...busy.waiting.slice(0, at).map(({ owner }) => owner.spid));
      }
    }
    return false;
  }
}
