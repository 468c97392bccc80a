import { sql } from '../../../engine/sql.ts';
import type { Upkeep } from '../../../procedure/kind.ts';
import { bigint, int, smallint } from '../../../tds/types/index.ts';
import { lapsedItems, leaseTime } from './lease.ts';
import { endSpent } from './spent.ts';

/** Small enough that no call notices the step. */
const itemsInAStep = 100;
/** How long the name of an absent worker is kept: a day. */
const memory = 86_400_000;

const item = { JobId: bigint, GroupId: smallint, ItemId: int };

/**
 * Cleans up what nobody would claim again: items without attempts left, leases in cancelled jobs, and workers that have
 * long been absent.
 */
export const endLapsed: Upkeep = {
  name: 'end leases that ran out',
  async step(db, now) {
    const spent = await db.all(
      item,
      sql`
        select j.job_id as "JobId", i.group_id as "GroupId", i.item_id as "ItemId"
        ${lapsedItems(now)} and i.attempts_remaining = 0
        limit ${itemsInAStep}`,
    );
    await endSpent(db, now, spent);
    await db.run(sql`
      update items set leased_until = null
      where items.leased_until <= ${leaseTime(now)}
        and (select j.cancel_time from jobs j where j.job_key = items.job_key) is not null`);
    await db.run(sql`delete from workers where there_until <= ${leaseTime(now, -memory)}`);
    return spent.length === itemsInAStep;
  },
};
