import { setTimeout as delay } from 'node:timers/promises';
import type { SharedLocks, SharedWait } from '../../engine/shared-locks.ts';
import {
  AppLocks,
  conflictsWith,
  keyOf,
  type LockEntry,
  type LockMode,
  type LockOwner,
  type LockRequest,
  type LockResource,
  type LockResult,
  lockModes,
} from './app-locks.ts';

/** Milliseconds between two checks whether another node has released a lock. */
const firstPause = 10;
const longestPause = 200;

/**
 * Milliseconds between two checks for a cycle of waits, and how often one must be found before it counts: one of its
 * waits may just have ended.
 */
const lookEvery = 500;
const looksThatCount = 3;

const numberOf = (mode: LockMode): number => lockModes.indexOf(mode);

const conflict = (one: number, other: number): boolean =>
  lockModes.some((mode, at) => at === one && conflictsWith(mode).some((each) => numberOf(each) === other));

/** The first waiting session of this node for a lock that another node holds. */
interface Wait {
  readonly key: string;
  readonly since: number;
  /** Whether the wait has been published to the other nodes. */
  isTold: boolean;
  /** How often in a row it was found to be the victim of a deadlock. */
  timesChosen: number;
}

/**
 * The sp_getapplock locks where several nodes share a store. Sessions of one node queue here; the first in line takes
 * the lock among the nodes too, and polls while another node holds it.
 */
export class NodeAppLocks extends AppLocks {
  readonly #shared: SharedLocks;
  /** What this node holds among the nodes. */
  readonly #taken = new Map<string, number>();
  readonly #giving = new Set<Promise<void>>();
  /** Those who are first here and wait for another node, and since when. */
  readonly #waiting = new Map<LockRequest, Wait>();
  #looking: NodeJS.Timeout | undefined;

  /** `cut` ends a session: the holder of a lost lock must not continue as if it still had it. */
  constructor(shared: SharedLocks, cut: (spid: number) => void) {
    super();
    this.#shared = shared;
    shared.onLost(() => {
      this.#taken.clear();
      for (const spid of this.#holders()) cut(spid);
    });
  }

  override async acquire(resource: LockResource, request: LockRequest, signal: AbortSignal): Promise<LockResult> {
    const { owner, mode, timeout } = request;
    const until = timeout < 0 ? Number.POSITIVE_INFINITY : performance.now() + timeout;
    const here = await super.acquire(resource, request, signal);
    if (here !== 'granted' && here !== 'granted after waiting') return here;
    const wait: Wait = { key: keyOf(resource), since: performance.now(), isTold: false, timesChosen: 0 };
    this.#waiting.set(request, wait);
    this.#lookSoon();
    try {
      const there = await this.#take(wait, mode, until, signal);
      if (there === 'granted') return here;
      if (there !== 'granted after waiting') super.release(resource, owner);
      return there;
    } catch (error) {
      super.release(resource, owner);
      throw error;
    } finally {
      await this.#endWait(request, wait);
    }
  }

  /** A session that is first here and waits for another node has nothing yet. */
  override list(): LockEntry[] {
    const awaited = [...this.#waiting];
    return super.list().map((entry) => {
      const { owner, mode, resource, status } = entry;
      const at = awaited.findIndex(
        ([request, { key }]) =>
          status === 'granted' && request.owner === owner && request.mode === mode && key === keyOf(resource),
      );
      const [waiting] = at < 0 ? [] : awaited.splice(at, 1);
      return waiting === undefined ? entry : { ...entry, status: 'waiting', since: waiting[1].since };
    });
  }

  /** One login can have half of the locks of a node. */
  protected override get mostOfLogin(): number {
    return Math.min(super.mostOfLogin, this.#shared.most / 2);
  }

  /** The sessions that have a lock among the nodes, and do not only wait for one. */
  #holders(): Set<number> {
    const held = this.list().filter(({ status }) => status === 'granted');
    return new Set(held.map(({ owner }) => owner.spid));
  }

  override async settled(): Promise<void> {
    await Promise.all(this.#giving);
  }

  protected override given(resource: LockResource, mode: LockMode): void {
    const held = `${numberOf(mode)} ${keyOf(resource)}`;
    const count = this.#taken.get(held) ?? 0;
    if (count === 0) return;
    if (count === 1) this.#taken.delete(held);
    else this.#taken.set(held, count - 1);
    const giving = this.#shared.give(keyOf(resource), numberOf(mode)).finally(() => this.#giving.delete(giving));
    this.#giving.add(giving);
  }

  /** A published wait is withdrawn before its lock can be given to another session. */
  async #endWait(request: LockRequest, { isTold }: Wait): Promise<void> {
    this.#waiting.delete(request);
    if (isTold) await this.#tell();
  }

  #lookSoon(): void {
    this.#looking ??= setTimeout(async () => {
      for (const [wait, isChosen] of await this.#tell()) wait.timesChosen = isChosen ? wait.timesChosen + 1 : 0;
      this.#looking = undefined;
      if (this.#waiting.size > 0) this.#lookSoon();
    }, lookEvery).unref();
  }

  /** Publishes longer waits to the other nodes, and finds deadlocks among them. */
  async #tell(): Promise<Map<Wait, boolean>> {
    const held = this.list().filter(({ status }) => status === 'granted');
    const waits = new Map<Wait, SharedWait>();
    for (const [{ owner, mode }, wait] of this.#waiting) {
      if (!wait.isTold && performance.now() - wait.since < lookEvery) continue;
      wait.isTold = true;
      const behind = this.behind(owner.spid);
      const theirs = held.filter((entry) => behind.has(entry.owner.spid));
      const locks = theirs.map((entry) => ({ name: keyOf(entry.resource), mode: numberOf(entry.mode) }));
      waits.set(wait, { name: wait.key, mode: numberOf(mode), held: locks });
    }
    // If the store is unavailable, the next attempt to take the lock reports it.
    const chosen = await this.#shared.tellWaits([...waits.values()], conflict).catch((): SharedWait[] => []);
    return new Map([...waits].map(([wait, shared]) => [wait, chosen.includes(shared)]));
  }

  async #take(wait: Wait, mode: LockMode, until: number, signal: AbortSignal): Promise<LockResult> {
    const conflicting = conflictsWith(mode).map(numberOf);
    for (let pause = firstPause, waited = false; ; waited = true, pause = Math.min(2 * pause, longestPause)) {
      if (signal.aborted) return 'cancelled';
      if (wait.timesChosen >= looksThatCount) return 'deadlock';
      if (await this.#shared.take(wait.key, numberOf(mode), conflicting)) {
        const held = `${numberOf(mode)} ${wait.key}`;
        this.#taken.set(held, (this.#taken.get(held) ?? 0) + 1);
        return waited ? 'granted after waiting' : 'granted';
      }
      const left = until - performance.now();
      if (left <= 0) return 'timed out';
      await delay(Math.min(pause, left), undefined, { signal }).catch(() => {});
    }
  }

  /** What an owner has is given back to the other nodes as well when this resolves. */
  override async releaseAll(owner: LockOwner): Promise<void> {
    super.releaseAll(owner);
    await this.settled();
  }
}
