import { sql } from '../../../engine/sql.ts';
import { orNull, procedure } from '../../../procedure/declare.ts';
import { bigint, bit, datetime, int, smallint } from '../../../tds/types/index.ts';
import { leaseTime } from './lease.ts';
import { leaseLength, leaseParam, workerParam } from './params.ts';
import { prolongPresence } from './presence.ts';

const held = { JobId: bigint, GroupId: smallint, ItemId: int, Lease: bigint, LeaseUntil: datetime, Canceled: bit };

export const renewItems = procedure({
  name: 'RenewItems',
  schema: 'granary',
  section: 'Granary',
  summary:
    'Renews the leases of all items that a worker holds, and lists them; the worker has lost any item that is not listed.',
  access: 'write',
  params: { ...workerParam, ...leaseParam },
  outcomes: { done: { code: 0, meaning: 'What the worker holds.', sets: { Items: held } } },
  async handle({ db, now }, { Worker, LeaseSeconds }) {
    const length = leaseLength(LeaseSeconds);
    await prolongPresence(db, now, Worker, length);
    const rows = await db.all(
      { ...held, JobId: orNull(bigint) },
      sql`
        update items set leased_until = ${leaseTime(now, length)}
        where items.leased_until > ${leaseTime(now)} and items.worker = ${Worker}
        returning (select j.job_id from jobs j where j.job_key = items.job_key) as "JobId",
          items.group_id as "GroupId", items.item_id as "ItemId", items.lease as "Lease",
          items.leased_until as "LeaseUntil",
          (select case when j.cancel_time is null then 0 else 1 end from jobs j where j.job_key = items.job_key)
            as "Canceled"`,
    );
    // The rows of a deleted job remain for a while (upkeep.ts).
    const Items = rows.flatMap(({ JobId, ...row }) => (JobId === null ? [] : [{ JobId, ...row }]));
    return { outcome: 'done', sets: { Items } };
  },
});
