import type { Db } from '../db.ts';
import { NotBrief, PostgresDb } from './db.ts';
import { TransactionGone, Unreachable } from './errors.ts';
import { beginReading } from './gate.ts';
import type { Habit } from './habits.ts';
import type { Link } from './link.ts';
import type { Pool } from './pool.ts';

/** A snapshot takes in so many reads at most. */
const mostReads = 64;
/** Milliseconds that a read waits for a connection in use to come free before another one is taken. */
const shortWait = 1;

/** A read that waits for its snapshot. */
interface Waiting {
  start(link: Link): Promise<void>;
  fail(error: unknown): void;
}

/**
 * Where short reads of one database share snapshots: those that wait at the same moment run side by side in one
 * transaction on one connection. Each sees all that was committed before it came, for the snapshot is taken after.
 */
export class Snapshots {
  readonly #pool: Pool;
  readonly #waiting: Waiting[] = [];
  #open = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Runs a read; undefined when it is to be run by itself: its result is large, or another's failure ended the
   * snapshot. A cancel is heard between statements: stopping one that runs would end the snapshot for all.
   */
  read<T>(
    work: (db: Db) => Promise<T>,
    signal: AbortSignal | undefined,
    habit: Habit,
  ): Promise<{ readonly value: T } | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ start: (link) => run(work, link, signal, habit).then(resolve, reject), fail: reject });
      if (this.#open === 0) void this.#serve();
      else this.#timer ??= setTimeout(() => this.#another(), shortWait);
    });
  }

  #another(): void {
    this.#timer = undefined;
    if (this.#waiting.length > 0) void this.#serve();
  }

  async #serve(): Promise<void> {
    this.#open++;
    try {
      while (this.#waiting.length > 0) await this.#pool.use({}, (link) => this.#snapshot(link));
    } catch (error) {
      // No connection could be had, so nobody's work has begun.
      for (const read of this.#waiting.splice(0)) read.fail(error);
    } finally {
      this.#open--;
    }
  }

  async #snapshot(link: Link): Promise<void> {
    // Taken only now: whoever came while the connection was awaited is in it too.
    const reads = this.#waiting.splice(0, mostReads);
    if (reads.length === 0) return;
    const began = link.begin(beginReading);
    // A failure reaches the statements behind it as well; this only keeps it from being called unhandled.
    began.catch(() => {});
    await Promise.all(reads.map((read) => read.start(link)));
    await link.rollback();
  }
}

async function run<T>(
  work: (db: Db) => Promise<T>,
  link: Link,
  signal: AbortSignal | undefined,
  habit: Habit,
): Promise<{ readonly value: T } | undefined> {
  let statements = 0;
  const db = new PostgresDb(link, 'brief', undefined, () => {
    statements++;
    signal?.throwIfAborted();
  });
  try {
    const value = await work(db);
    habit.isLookup = habit.isLookup !== false && statements === 1;
    return { value };
  } catch (error) {
    if (db.failure instanceof NotBrief || db.failure instanceof TransactionGone) return undefined;
    if (db.failure instanceof Unreachable) return undefined;
    throw error;
  } finally {
    db.end();
  }
}
