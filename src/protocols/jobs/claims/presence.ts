import type { Db } from '../../../engine/db.ts';
import { type Sql, sql } from '../../../engine/sql.ts';
import { int } from '../../../tds/types/index.ts';
import { leaseTime } from './lease.ts';

/** A worker waits for a minute at most before it claims again. */
const leastPresence = 90_000;

/** Milliseconds that a worker counts as there after it was heard of. */
const presenceOf = (lease: number): number => Math.max(lease, leastPresence);

/** A worker as it says of itself. */
interface Present {
  readonly Worker: string;
  readonly Name: string | null;
  readonly Own: boolean | null;
}

/** A worker was heard of: it counts as there for the time of its leases, and a while when it has none. */
export async function notePresence(db: Db, now: Date, worker: Present, lease: number): Promise<void> {
  const { Worker, Name, Own } = worker;
  await db.run(sql`
    insert into workers (worker, name, own, seen, there_until)
    values (${Worker}, ${Name}, ${Own === true}, ${leaseTime(now)}, ${leaseTime(now, presenceOf(lease))})
    on conflict (worker) do update set
      name = coalesce(excluded.name, workers.name), own = excluded.own, seen = excluded.seen,
      there_until = excluded.there_until`);
}

/** A worker that was noted goes on. */
export async function prolongPresence(db: Db, now: Date, Worker: string, lease: number): Promise<void> {
  await db.run(sql`
    update workers set seen = ${leaseTime(now)}, there_until = ${leaseTime(now, presenceOf(lease))}
    where worker = ${Worker}`);
}

/** True when it need not be noted yet that a worker is there: more than half of the last time is left. */
export async function isPresenceFresh(db: Db, now: Date, Worker: string, lease: number): Promise<boolean> {
  const half = presenceOf(lease) / 2;
  const query = sql`select 1 as "One" from workers where worker = ${Worker} and there_until > ${leaseTime(now, half)}`;
  return (await db.first({ One: int }, query)) !== undefined;
}

/** The workers `w` that count as there. */
export const isPresent = (now: Date): Sql => sql`w.there_until > ${leaseTime(now)}`;
