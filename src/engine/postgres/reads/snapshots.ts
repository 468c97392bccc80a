import type { Db } from '../../db.ts';
import type { Pool } from '../connect/pool.ts';
import { NotBrief, PostgresDb } from '../db.ts';
import { TransactionGone, Unreachable } from '../errors.ts';
import type { Habit } from '../groups/habits.ts';
import { beginReading } from '../locks/gate.ts';
import type { Link } from '../wire/link.ts';

/** The maximum number of reads per snapshot. */
const mostReads = 64;
/** Milliseconds that a read waits for a connection in use before another one is taken. */
const shortWait = 1;

/** A read that waits for its snapshot. */
interface Waiting {
  start(link: Link): Promise<void>;
  fail(error: unknown): void;
}

/**
 * Short reads of one database share snapshots: those that wait at the same moment run concurrently in one transaction
 * on one connection. Each sees everything committed before it arrived, since the snapshot is taken later.
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
   * Runs a read; undefined if it must be run separately because its result is large or another's failure ended the
   * snapshot. A cancel takes effect between statements: cancelling a running one would end the snapshot for all.
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
      // No connection was available, so no work has begun.
      for (const read of this.#waiting.splice(0)) read.fail(error);
    } finally {
      this.#open--;
    }
  }

  async #snapshot(link: Link): Promise<void> {
    // Taken only now, to include reads that arrived while the connection was opened.
    const reads = this.#waiting.splice(0, mostReads);
    if (reads.length === 0) return;
    const began = link.begin(beginReading);
    // The failure also reaches later statements; this only prevents an unhandled rejection.
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
