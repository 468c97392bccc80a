/** The modes of sp_getapplock. */
export const lockModes = ['IntentShared', 'Shared', 'Update', 'IntentExclusive', 'Exclusive'] as const;
export type LockMode = (typeof lockModes)[number];

/** Whose lock it is: it ends with the session's transaction or with the session. */
export interface LockOwner {
  readonly spid: number;
  readonly scope: 'Transaction' | 'Session';
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
interface Resource {
  readonly granted: Grant[];
  readonly waiting: Waiter[];
}

const sameOwner = (a: LockOwner, b: LockOwner) => a.spid === b.spid && a.scope === b.scope;

/**
 * The locks of sp_getapplock, by database and resource name. They live in the memory of one process: nodes that share a
 * PostgreSQL do not see each other's.
 */
export class AppLocks {
  readonly #resources = new Map<string, Resource>();

  /** Takes a lock, waiting up to `timeout` milliseconds (-1 for ever) while another session holds it. */
  async acquire(
    request: { readonly key: string; readonly owner: LockOwner; readonly mode: LockMode; readonly timeout: number },
    signal: AbortSignal,
  ): Promise<LockResult> {
    const { key, owner, mode, timeout } = request;
    const resource: Resource = this.#resources.get(key) ?? { granted: [], waiting: [] };
    this.#resources.set(key, resource);
    if (this.#mayHave(resource, owner, mode)) {
      resource.granted.push({ owner, mode });
      return 'granted';
    }
    if (timeout === 0) return 'timed out';
    if (this.#closesCircle(owner.spid, resource, mode)) return 'deadlock';
    if (signal.aborted) return 'cancelled';
    return new Promise((resolve) => {
      const settle = (result: LockResult) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
        resource.waiting.splice(resource.waiting.indexOf(waiter), 1);
        if (result === 'granted after waiting') resource.granted.push(waiter);
        else this.#serve(key, resource);
        resolve(result);
      };
      const waiter: Waiter = { owner, mode, settle };
      const cancel = () => settle('cancelled');
      const timer = timeout < 0 ? undefined : setTimeout(() => settle('timed out'), timeout);
      signal.addEventListener('abort', cancel, { once: true });
      resource.waiting.push(waiter);
    });
  }

  /** Gives back the lock that was taken last; false when the owner has none on the resource. */
  release(key: string, owner: LockOwner): boolean {
    const resource = this.#resources.get(key);
    const at = resource?.granted.findLastIndex((grant) => sameOwner(grant.owner, owner)) ?? -1;
    if (!resource || at < 0) return false;
    resource.granted.splice(at, 1);
    this.#serve(key, resource);
    return true;
  }

  /** Gives back everything that an owner holds: at the end of a transaction, or of a session. */
  releaseAll(owner: LockOwner): void {
    for (const [key, resource] of this.#resources) {
      const kept = resource.granted.filter((grant) => !sameOwner(grant.owner, owner));
      if (kept.length === resource.granted.length) continue;
      resource.granted.splice(0, resource.granted.length, ...kept);
      this.#serve(key, resource);
    }
  }

  /** A session never waits for itself, and nobody overtakes those who wait already. */
  #mayHave(resource: Resource, owner: LockOwner, mode: LockMode): boolean {
    const held = resource.granted.some((grant) => grant.owner.spid === owner.spid);
    return (held || resource.waiting.length === 0) && this.#blockers(resource, owner.spid, mode).length === 0;
  }

  #blockers(resource: Resource, spid: number, mode: LockMode): number[] {
    return resource.granted
      .filter((grant) => grant.owner.spid !== spid && !compatible[mode].includes(grant.mode))
      .map((grant) => grant.owner.spid);
  }

  #serve(key: string, resource: Resource): void {
    for (const waiter of [...resource.waiting]) {
      if (this.#blockers(resource, waiter.owner.spid, waiter.mode).length > 0) break;
      waiter.settle('granted after waiting');
    }
    if (resource.granted.length === 0 && resource.waiting.length === 0) this.#resources.delete(key);
  }

  /** Whether those who would be waited for wait, directly or through others, for this session. */
  #closesCircle(spid: number, resource: Resource, mode: LockMode): boolean {
    const seen = new Set<number>();
    const ahead = resource.waiting.map((waiter) => waiter.owner.spid);
    const next = [...this.#blockers(resource, spid, mode), ...ahead];
    for (let other = next.pop(); other !== undefined; other = next.pop()) {
      if (other === spid) return true;
      if (seen.has(other)) continue;
      seen.add(other);
      for (const busy of this.#resources.values()) {
        const at = busy.waiting.findIndex(({ owner }) => owner.spid === other);
        const waiter = busy.waiting[at];
        if (!waiter) continue;
        next.push(...this.#blockers(busy, other, waiter.mode));
        next.push(...busy.waiting.slice(0, at).map(({ owner }) => owner.spid));
      }
    }
    return false;
  }
}
