import { type EachEngine, eachEngine, type Sql, sql } from '../../../engine/sql.ts';

/**
 * The moment that leases are measured by, some milliseconds later. Several servers may share a PostgreSQL, so there its
 * clock decides; a SQLite file has one server, whose clock a test can move.
 */
export const leaseTime = (now: Date, later = 0): EachEngine =>
  eachEngine({
    sqlite: sql`${now.getTime() + later}`,
    postgres: sql`(floor(extract(epoch from statement_timestamp()) * 1000)::bigint + ${later})`,
  });

/**
 * True for an item that is held under a lease: nobody has ended it or taken it over, and it has not run out. The end is
 * inside coalesce so that no planner begins with the index of leases: the item is named.
 */
export const isHeld = (lease: bigint, now: Date): Sql =>
  sql`and items.lease = ${lease} and coalesce(items.leased_until, 0) > ${leaseTime(now)}`;

/** The jobs `j` of items `i` that are begun with: PostgreSQL would else take all items of each job into account. */
const theirJobs = eachEngine({
  sqlite: sql`join jobs j on j.job_key = i.job_key`,
  postgres: sql`cross join lateral (select * from jobs where jobs.job_key = i.job_key offset 0) j`,
});

/** The items `i` whose leases have run out, so that they are free again, with their jobs `j`; of Granary's own jobs, if so wanted. */
export const lapsedItems = (now: Date, own = false): Sql => sql`
  from items i ${theirJobs}
  where i.leased_until <= ${leaseTime(now)} and j.submitted = 1 and j.cancel_time is null
    ${own ? sql`and j.own = 1` : sql``}`;
