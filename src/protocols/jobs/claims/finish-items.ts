import type { Row } from '../../../base/stored.ts';
import type { Db } from '../../../engine/db.ts';
import { sql, table } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { required } from '../../../procedure/param.ts';
import { bigint, datetime, int, nvarchar, smallint } from '../../../tds/types/index.ts';
import { noteStops } from '../hints.ts';
import { jobsById } from '../jobs-by-id.ts';
import { itemKey } from '../named-item.ts';
import { partsOf } from '../update-batch.ts';
import { type HeldItem, readHeldList } from './held-list.ts';
import { leaseTime } from './lease.ts';

const mostItems = 1000;
const lost = { JobId: bigint, GroupId: smallint, ItemId: int };
const stopped = { Key: bigint, GroupId: smallint, ItemId: int, StopTime: datetime };

export const finishItems = procedure({
  name: 'FinishItems',
  schema: 'granary',
  section: 'Granary',
  summary: 'Marks many items that a worker holds as finished, and lists those that it does not hold any more.',
  access: 'write',
  byRows: true,
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
    const jobs = await jobsById(db, items);
    const finished = new Set<string>();
    for (const part of partsOf(items)) {
      for (const { Key, GroupId, ItemId } of await stop(db, now, part, jobs)) {
        finished.add(itemKey(Key, GroupId, ItemId));
      }
    }
    const Lost = items.filter(
      ({ JobId, GroupId, ItemId }) => !finished.has(itemKey(jobs.get(JobId)?.Key, GroupId, ItemId)),
    );
    return { outcome: 'done', sets: { Lost: Lost.map(({ Lease: _, ...name }) => name) } };
  },
});

/** The lease is inside coalesce so that no planner begins with the index of leases, which holds everybody's. */
async function stop(
  db: Db,
  now: Date,
  items: readonly HeldItem[],
  jobs: Awaited<ReturnType<typeof jobsById>>,
): Promise<Row<typeof stopped>[]> {
  const held = table(
    { job: 'bigint', in_group: 'bigint', item: 'bigint', lease: 'bigint', stopped: 'bigint' },
    items.flatMap(({ JobId, GroupId, ItemId, Lease }) => {
      const job = jobs.get(JobId);
      if (job === undefined) return [];
      const stopTime = Math.max(now.getTime(), job.ExpiredBefore.getTime());
      return [[job.Key, GroupId, ItemId, Lease, stopTime]];
    }),
  );
  const rows = await db.all(
    stopped,
    sql`
      update items set stop_time = n.stopped, leased_until = null, error_code = null, worker = null
      from ${held} n
      where items.job_key = n.job and items.group_id = n.in_group and items.item_id = n.item
        and items.stop_time is null and items.lease = n.lease and coalesce(items.leased_until, 0) > ${leaseTime(now)}
      returning items.job_key as "Key", items.group_id as "GroupId", items.item_id as "ItemId",
        items.stop_time as "StopTime"`,
  );
  const times = rows.map(({ StopTime }) => StopTime.getTime());
  const keys = [...new Set(rows.map(({ Key }) => Key))];
  if (keys.length > 0) await noteStops(db, keys, new Date(Math.min(...times)), new Date(Math.max(...times)));
  return rows;
}
