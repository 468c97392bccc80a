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

/** True for an item `i` of a job `j` whose lease has run out, so that it is free again; of one of Granary's own jobs, if so wanted. */
export const isLapsed = (now: Date, own = false): Sql =>
  sql`i.leased_until <= ${leaseTime(now)} and j.submitted = 1 and j.cancel_time is null ${own ? sql`and j.own = 1` : sql``}`;
