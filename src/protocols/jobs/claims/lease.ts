import { type EachEngine, eachEngine, type Sql, sql } from '../../../engine/sql.ts';

/**
 * The current time for leases, plus some milliseconds. Several servers may share a PostgreSQL, so its clock decides
 * there; a SQLite file has one server, whose clock a test can control.
 */
export const leaseTime = (now: Date, later = 0): EachEngine =>
  eachEngine({
    sqlite: sql`${now.getTime() + later}`,
    postgres: sql`(floor(extract(epoch from statement_timestamp()) * 1000)::bigint + ${later})`,
  });

/**
 * True for an item that is held under a lease: nobody has ended it or taken it over, and the lease has not expired. The
 * expiry is inside coalesce so that no planner starts with the index of leases: the item is given by its key.
 */
export const isHeld = (lease: bigint, now: Date): Sql =>
  sql`and items.lease = ${lease} and coalesce(items.leased_until, 0) > ${leaseTime(now)}`;

/** The jobs `j` from which a query of items `i` starts: otherwise PostgreSQL would consider all items of each job. */
const theirJobs = eachEngine({
  sqlite: sql`join jobs j on j.job_key = i.job_key`,
  postgres: sql`cross join lateral (select * from jobs where jobs.job_key = i.job_key offset 0) j`,
});

/**
 * The items `i` with expired leases, which are free again, with their jobs `j`; optionally only of Granary's own jobs.
 */
export const lapsedItems = (now: Date, own = false): Sql => sql`
  from items i ${theirJobs}
  where i.leased_until <= ${leaseTime(now)} and j.submitted = 1 and j.cancel_time is null
    ${own ? sql`and j.own = 1` : sql``}`;
