import type { Db } from '../../../engine/db.ts';
import { type Sql, sql } from '../../../engine/sql.ts';
import { int } from '../../../tds/types/index.ts';
import { leaseTime } from './lease.ts';

/** A worker waits at most a minute before it claims again. */
const leastPresence = 90_000;

/** Milliseconds for which a worker counts as present after its last call. */
const presenceOf = (lease: number): number => Math.max(lease, leastPresence);

/** A worker as it describes itself. */
interface Present {
  readonly Worker: string;
  readonly Name: string | null;
  readonly Own: boolean | null;
}

/** Records a call of a worker: it counts as present for the duration of its leases, and for a while if it has none. */
export async function notePresence(db: Db, now: Date, worker: Present, lease: number): Promise<void> {
  const { Worker, Name, Own } = worker;
  await db.run(sql`
    insert into workers (worker, name, own, seen, there_until)
    values (${Worker}, ${Name}, ${Own === true}, ${leaseTime(now)}, ${leaseTime(now, presenceOf(lease))})
    on conflict (worker) do update set
      name = coalesce(excluded.name, workers.name), own = excluded.own, seen = excluded.seen,
      there_until = excluded.there_until`);
}

/** Extends the presence of a recorded worker. */
export async function prolongPresence(db: Db, now: Date, Worker: string, lease: number): Promise<void> {
  await db.run(sql`
    update workers set seen = ${leaseTime(now)}, there_until = ${leaseTime(now, presenceOf(lease))}
    where worker = ${Worker}`);
}

/** True if the worker's presence need not be recorded yet: more than half of the last period is left. */
export async function isPresenceFresh(db: Db, now: Date, Worker: string, lease: number): Promise<boolean> {
  const half = presenceOf(lease) / 2;
  const query = sql`select 1 as "One" from workers where worker = ${Worker} and there_until > ${leaseTime(now, half)}`;
  return (await db.first({ One: int }, query)) !== undefined;
}

/** The workers `w` that count as present. */
export const isPresent = (now: Date): Sql => sql`w.there_until > ${leaseTime(now)}`;
