import { type Sql, sql } from '../../engine/sql.ts';

/**
 * The classes of items that the specifications define alike for proc_GetJobStatus.ResultSet0 and proc_GetItems; `j` is
 * the job and `i` the item. They do not overlap and do not cover everything (see docs/readings/jobs.md). Canceled is
 * the one that the two places define differently, so each has its own.
 */
const itemClass = {
  NotSubmitted: sql`(j.submitted = 0 and j.cancel_time is null)`,
  NotStarted: sql`(j.submitted = 1 and j.cancel_time is null and i.start_time is null)`,
  InProgress: sql`(j.submitted = 1 and j.cancel_time is null and i.start_time is not null and i.stop_time is null)`,
  Succeeded: sql`(j.submitted = 1 and i.start_time is not null and i.stop_time is not null and i.error_code is null)`,
  Failed: sql`(j.submitted = 1 and i.start_time is not null and i.stop_time is not null and i.error_code is not null)`,
} as const;

/**
 * True for an item that proc_JobsExpire has not deleted individually; its row may remain for a while until upkeep
 * removes it.
 */
export const isThere = sql`(i.stop_time is null or i.stop_time >= j.expired_before)`;

/** The columns of proc_GetJobStatus.ResultSet0, counted over the items `i` of a job `j`. */
export const statusCounts = sql`
  count(i.item_id) as "Total",
  count(i.item_id) filter (where ${itemClass.NotSubmitted}) as "NotSubmitted",
  count(i.item_id) filter (where ${itemClass.NotStarted}) as "NotStarted",
  count(i.item_id) filter (where ${itemClass.InProgress}) as "InProgress",
  count(i.item_id) filter (where ${itemClass.Succeeded}) as "Succeeded",
  count(i.item_id) filter (where ${itemClass.Failed}) as "Failed",
  count(i.item_id) filter (where j.submitted = 1 and j.cancel_time is not null and i.stop_time is null) as "Canceled",
  j.name as "Name"`;

/** The switches of proc_GetItems. */
interface ClassSwitches {
  readonly NotSubmitted: boolean | null;
  readonly NotStarted: boolean | null;
  readonly InProgress: boolean | null;
  readonly Succeeded: boolean | null;
  readonly Failed: boolean | null;
  readonly Canceled: boolean | null;
}

const nothing = sql``;

/** Leaves out the classes whose switch is zero; NULL is not zero, and items of no class are always included. */
export function notSwitchedOff(switches: ClassSwitches): Sql {
  return sql`
    ${switches.NotSubmitted === false ? sql`and not ${itemClass.NotSubmitted}` : nothing}
    ${switches.NotStarted === false ? sql`and not ${itemClass.NotStarted}` : nothing}
    ${switches.InProgress === false ? sql`and not ${itemClass.InProgress}` : nothing}
    ${switches.Succeeded === false ? sql`and not ${itemClass.Succeeded}` : nothing}
    ${switches.Failed === false ? sql`and not ${itemClass.Failed}` : nothing}
    ${switches.Canceled === false ? sql`and not (j.cancel_time is not null and i.stop_time is null)` : nothing}`;
}
