import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../base/log/log.ts';
import { SqlError } from '../../base/messages/sql-error.ts';
import { ClientError } from '../../client/client-error.ts';
import { WorkError } from '../documents/work-error.ts';
import { LeaseOver, type StillHeld, type WorkQueue } from './queue.ts';
import { keyOf, type OutputNotes, type Work, type WorkItem } from './work-item.ts';

/** Why the work on an item is broken off. */
class BrokenOff extends Error {
  override readonly name = 'BrokenOff';
  readonly why: 'lost' | 'cancelled' | 'stopped';

  constructor(why: BrokenOff['why']) {
    super(`The work on an item was aborted: ${why}.`);
    this.why = why;
  }
}

interface Held {
  readonly item: WorkItem;
  readonly abort: AbortController;
  readonly done: Promise<void>;
  /** When it was claimed or renewed last, as performance.now() has it. */
  renewedAt: number;
}

/** The claim of the item has ended: another worker has it, or it is done. */
const leaseOver = 50_101;
/** Milliseconds between two tries to report, and for how long it is tried. */
const pause = 500;
const longestReport = 120_000;

/** The items that a worker is at. */
export class HeldItems {
  readonly #work: Work;
  readonly #log: Log;
  readonly #held = new Map<string, Held>();
  /** How many of them are done, and are being reported. */
  #done = 0;
  #freed = Promise.withResolvers<void>();

  constructor(work: Work, log: Log) {
    this.#work = work;
    this.#log = log;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Begins with an item. */
  add(item: WorkItem, queue: WorkQueue): void {
    const key = keyOf(item);
    // The same item again: the claim on it had run out unnoticed, and it was free.
    this.#held.get(key)?.abort.abort(new BrokenOff('lost'));
    const abort = new AbortController();
    const done = this.#see(item, queue, abort.signal).finally(() => {
      if (this.#held.get(key)?.abort === abort) this.#held.delete(key);
      this.#freed.resolve();
      this.#freed = Promise.withResolvers();
    });
    this.#held.set(key, { item, abort, done, renewedAt: performance.now() });
  }

  /** Resolves when one of them is done, or the signal is aborted. */
  async oneDone(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = () => resolve();
    signal.addEventListener('abort', stop, { once: true });
    await Promise.race([this.#freed.promise, promise]);
    signal.removeEventListener('abort', stop);
  }

  /** The server has told what is still held, and whose job was cancelled. */
  renewed(still: readonly StillHeld[], at: number): void {
    const known = new Map(still.map((each) => [keyOf(each), each]));
    for (const [key, held] of this.#held) {
      // What was claimed after the question was asked is not in the answer.
      if (held.renewedAt > at) continue;
      const found = known.get(key);
      if (found === undefined) held.abort.abort(new BrokenOff('lost'));
      else if (found.Canceled) held.abort.abort(new BrokenOff('cancelled'));
      else held.renewedAt = at;
    }
  }

  /** Aborts items that were claimed or renewed too long ago: another worker may have them. */
  dropOlder(than: number): void {
    for (const { abort, renewedAt } of this.#held.values()) {
      if (renewedAt < than) abort.abort(new BrokenOff('lost'));
    }
  }

  /** Waits until all are done; what is not after a while is broken off and given back. */
  async settle(grace: number): Promise<void> {
    const all = Promise.all(Array.from(this.#held.values(), ({ done }) => done));
    const isLate = await Promise.race([all.then(() => false), delay(grace, true, { ref: false })]);
    if (isLate) for (const { abort } of this.#held.values()) abort.abort(new BrokenOff('stopped'));
    await all;
  }

  async #see(item: WorkItem, queue: WorkQueue, signal: AbortSignal): Promise<void> {
    const names = { job: String(item.JobId), group: item.GroupId, item: item.ItemId };
    const began = performance.now();
    try {
      await this.#work.do(item, signal, this.#notesOf(item, queue));
      this.#done++;
      const isLast = this.#done >= this.#held.size;
      await this.#report(() => queue.finish(item, isLast)).finally(() => this.#done--);
      this.#log.info('item done', { ...names, milliseconds: Math.round(performance.now() - began) });
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : isLeaseOver(error) ? new BrokenOff('lost') : error;
      if (reason instanceof BrokenOff) {
        this.#log.info('item interrupted', { ...names, why: reason.why });
        if (reason.why !== 'lost') await this.#report(() => queue.giveBack(item));
        return;
      }
      await this.#fail(item, queue, reason);
    }
  }

  async #fail(item: WorkItem, queue: WorkQueue, reason: unknown): Promise<void> {
    const names = { job: String(item.JobId), group: item.GroupId, item: item.ItemId };
    if (reason instanceof WorkError) {
      this.#log.info('item failed', { ...names, error: reason.kind });
      await this.#report(() => queue.fail(item, reason.kind, reason.message));
    } else {
      const said = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
      this.#log.error('a worker failed', { ...names, error: said });
      await this.#report(() => queue.fail(item, 'failed', reason instanceof Error ? reason.message : String(reason)));
    }
  }

  #notesOf(item: WorkItem, queue: WorkQueue): OutputNotes {
    const told = (digest?: string) => persistently(() => queue.noteOutput(item, digest));
    return {
      noted: () => told(),
      async note(digest) {
        await told(digest);
      },
    };
  }

  /** Reports what became of an item. */
  async #report(tell: () => Promise<void>): Promise<void> {
    try {
      await persistently(tell);
    } catch (error) {
      if (isLeaseOver(error)) this.#log.info('the lease of an item expired before its end could be reported');
      else this.#log.error('the end of an item could not be reported', { error: String(error) });
    }
  }
}

const isLeaseOver = (error: unknown): boolean =>
  error instanceof LeaseOver || (error instanceof SqlError && error.number === leaseOver);

/** Repeats the report until it is accepted: an unavailable server returns, or the claim expires. */
async function persistently<T>(tell: () => Promise<T>): Promise<T> {
  const began = performance.now();
  for (;;) {
    try {
      return await tell();
    } catch (error) {
      if (!(error instanceof ClientError) || performance.now() - began >= longestReport) throw error;
      await delay(pause);
    }
  }
}
