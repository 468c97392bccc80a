import { ruleBroken } from '../../base/messages/sql-error.ts';
import { sql } from '../../engine/sql.ts';
import { orNull, procedure } from '../../procedure/declare.ts';
import { optional, optionalOutput, required } from '../../procedure/param.ts';
import { bigint, datetime, int, smallint, tinyint } from '../../tds/types/index.ts';
import { noteWaiting } from './hints.ts';

const job = { Key: bigint, CancelTime: orNull(datetime) };

/**
 * No procedure of the specifications does this: there, a permanently failed item stays failed, and clients create
 * another job.
 */
export const tryItemsAgain = procedure({
  name: 'TryItemsAgain',
  schema: 'granary',
  section: 'Granary',
  summary: 'Puts failed items of a job back into the queue, as if they had not been started.',
  access: 'write',
  bringsWork: true,
  params: {
    JobId: required(bigint, 'The job.'),
    GroupId: optional(smallint, null, 'Only items of this group; NULL for all.'),
    ItemId: optional(int, null, 'Only this item of the group; NULL for all.'),
    Attempts: optional(tinyint, 1, 'How many attempts they have at least.'),
    Items: optionalOutput(int, 'How many items were put back.'),
  },
  outcomes: { done: { code: 0, meaning: 'The items that had failed wait again.' } },
  async handle({ db }, { JobId, GroupId, ItemId, Attempts }) {
    const attempts = Attempts ?? 1;
    if (attempts < 1) throw ruleBroken('@Attempts is 0; an item that is tried again needs one.');
    if (ItemId !== null && GroupId === null) throw ruleBroken('@ItemId means an item of @GroupId, which is NULL.');
    const found = await db.first(
      job,
      sql`select job_key as "Key", cancel_time as "CancelTime" from jobs where job_id = ${JobId}`,
    );
    if (found === undefined) throw ruleBroken(`There is no job ${JobId}.`);
    if (found.CancelTime !== null) throw ruleBroken(`Job ${JobId} is cancelled: its items are no longer processed.`);
    const Items = await db.run(sql`
      update items set start_time = null, stop_time = null, worker = null, error_code = null, leased_until = null,
        attempts_remaining = case when attempts_remaining > ${attempts} then attempts_remaining else ${attempts} end
      where job_key = ${found.Key} and stop_time is not null and error_code is not null
        and stop_time >= (select j.expired_before from jobs j where j.job_key = ${found.Key})
        ${GroupId === null ? sql`` : sql`and group_id = ${GroupId}`}
        ${ItemId === null ? sql`` : sql`and item_id = ${ItemId}`}`);
    if (Items > 0) await noteWaiting(db, found.Key);
    return { outcome: 'done', output: { Items } };
  },
});
