import type { Db } from '../../db.ts';
import type { Pool } from '../connect/pool.ts';
import { NotBrief, PostgresDb } from '../db.ts';
import { TransactionGone } from '../errors.ts';
import type { Habit } from '../groups/habits.ts';
import type { Link } from '../wire/link.ts';

/** The longest normal response time, in milliseconds, of a connection that is not stuck behind a long statement. */
const stuckAfter = 3;

/** A connection and its unanswered statements. */
class Line {
  readonly link: Promise<Link>;
  /** When each of them was sent. */
  readonly pending = new Set<{ readonly since: number }>();
  isOpen = false;
  hasEnded = false;

  constructor(link: Promise<Link>) {
    this.link = link;
    link.then(
      () => {
        this.isOpen = true;
      },
      () => {}, // whoever waits for it observes the failure
    );
  }

  get isStuck(): boolean {
    const [oldest] = this.pending;
    return oldest !== undefined && performance.now() - oldest.since > stuckAfter;
  }
}

/** Thrown into a read that sends a second statement: the two would see different snapshots. */
class NotSingle extends Error {}

/**
 * Reads of a single statement, which needs no snapshot beyond its own: each is sent at once, without a transaction, on
 * a shared connection.
 */
export class Lookups {
  readonly #pool: Pool;
  readonly #most: number;
  readonly #lines: Line[] = [];

  constructor(pool: Pool, most: number) {
    this.#pool = pool;
    this.#most = most;
  }

  /** Runs a read; undefined if it must be run differently, as its habit then says, or be retried. */
  async read<T>(
    work: (db: Db) => Promise<T>,
    signal: AbortSignal | undefined,
    habit: Habit,
  ): Promise<{ readonly value: T } | undefined> {
    const line = this.#line();
    const pending = { since: performance.now() };
    line.pending.add(pending);
    try {
      return await lookUp(work, await line.link, signal, habit);
    } finally {
      line.pending.delete(pending);
      if (line.pending.size === 0) await this.#leave(line);
    }
  }

  /** The first connection that is not stuck; otherwise a new one or, at the limit, the one with the fewest readers. */
  #line(): Line {
    // Another database waits for a connection: new reads wait as well, and the open connections are released.
    if (this.#pool.isWanted) this.#forget((line) => line.isOpen);
    const free = this.#lines.find((line) => !line.isStuck);
    if (free !== undefined) return free;
    if (this.#lines.length < this.#most) {
      const line = new Line(this.#pool.take({}));
      this.#lines.push(line);
      return line;
    }
    return this.#lines.reduce((best, line) => (line.pending.size < best.pending.size ? line : best));
  }

  async #leave(line: Line): Promise<void> {
    if (line.hasEnded) return;
    line.hasEnded = true;
    this.#forget((each) => each === line);
    const link = await line.link;
    this.#pool.giveBack(link, link.broken);
  }

  #forget(isSuch: (line: Line) => boolean): void {
    for (let at = this.#lines.length - 1; at >= 0; at--) {
      const line = this.#lines[at];
      if (line !== undefined && isSuch(line)) this.#lines.splice(at, 1);
    }
  }
}

async function lookUp<T>(
  work: (db: Db) => Promise<T>,
  link: Link,
  signal: AbortSignal | undefined,
  habit: Habit,
): Promise<{ readonly value: T } | undefined> {
  let statements = 0;
  const db = new PostgresDb(link, 'brief', undefined, () => {
    signal?.throwIfAborted();
    if (++statements > 1) throw new NotSingle();
  });
  try {
    const value = await work(db);
    if (db.failure === undefined) return { value };
    throw db.failure;
  } catch (error) {
    if (db.failure instanceof NotSingle) habit.isLookup = false;
    else if (db.failure instanceof NotBrief) habit.note(0, true);
    else if (!link.broken && !(db.failure instanceof TransactionGone)) throw error;
    return undefined;
  } finally {
    db.end();
  }
}
