import type { Row } from '../../../base/stored.ts';
import type { Db } from '../../../engine/db.ts';
import { sql, table } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { required } from '../../../procedure/param.ts';
import { bigint, datetime, int, nvarchar, smallint } from '../../../tds/types/index.ts';
import { noteStops } from '../hints.ts';
import { itemKey, stopTime } from '../named-item.ts';
import { partsOf } from '../update-batch.ts';
import { type HeldItem, readHeldList } from './held-list.ts';
import { leaseTime } from './lease.ts';

const mostItems = 1000;
const lost = { JobId: bigint, GroupId: smallint, ItemId: int };
const stopped = { ...lost, Key: bigint, StopTime: datetime };

export const finishItems = procedure({
  name: 'FinishItems',
  schema: 'granary',
  section: 'Granary',
  summary: 'Marks many items that a worker holds as finished, and lists those that it does not hold any more.',
  access: 'write',
  params: {
    Items: required(
      nvarchar('max'),
      `Up to ${mostItems} items as JSON: [{"job":1,"group":1,"item":5,"lease":7}]; numbers may be texts.`,
    ),
  },
  outcomes: {
    done: { code: 0, meaning: 'The items have succeeded but for those that are listed.', sets: { Lost: lost } },
  },
  async handle({ db, now }, { Items }) {
    const items = readHeldList(Items, mostItems);
    const finished = new Set<string>();
    for (const part of partsOf(items)) for (const row of await stop(db, now, part)) finished.add(itemKey(row));
    const Lost = items.filter((item) => !finished.has(itemKey(item)));
    return { outcome: 'done', sets: { Lost: Lost.map(({ Lease: _, ...name }) => name) } };
  },
});

/** The lease is inside coalesce so that no planner begins with the index of leases, which holds everybody's. */
async function stop(db: Db, now: Date, items: readonly HeldItem[]): Promise<Row<typeof stopped>[]> {
  const held = table(
    { job: 'bigint', in_group: 'bigint', item: 'bigint', lease: 'bigint' },
    items.map(({ JobId, GroupId, ItemId, Lease }) => [JobId, GroupId, ItemId, Lease]),
  );
  const rows = await db.all(
    stopped,
    sql`
      update items set stop_time = ${stopTime(now)}, leased_until = null, error_code = null, worker = null
      from ${held} n join jobs j on j.job_id = n.job
      where items.job_key = j.job_key and items.group_id = n.in_group and items.item_id = n.item
        and items.stop_time is null and items.lease = n.lease and coalesce(items.leased_until, 0) > ${leaseTime(now)}
      returning (select jobs.job_id from jobs where jobs.job_key = items.job_key) as "JobId",
        items.group_id as "GroupId", items.item_id as "ItemId", items.job_key as "Key", items.stop_time as "StopTime"`,
  );
  const times = rows.map(({ StopTime }) => StopTime.getTime());
  const keys = [...new Set(rows.map(({ Key }) => Key))];
  if (keys.length > 0) await noteStops(db, keys, new Date(Math.min(...times)), new Date(Math.max(...times)));
  return rows;
}
