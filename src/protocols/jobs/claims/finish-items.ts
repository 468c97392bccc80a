import type { Db } from '../../../engine/db.ts';
import { type EachEngine, eachEngine, list, type Sql, sql, table } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { required } from '../../../procedure/param.ts';
import { bigint, int, nvarchar, smallint } from '../../../tds/types/index.ts';
import { noteStops } from '../hints.ts';
import { jobsById } from '../jobs-by-id.ts';
import { type ItemName, itemKey } from '../named-item.ts';
import { partsOf } from '../update-batch.ts';
import { type HeldItem, readHeldList } from './held-list.ts';
import { leaseTime } from './lease.ts';

const mostItems = 1000;
/** The smallest number of items of one group under one lease that is worth a statement of their own. */
const worthAStatement = 50;
const lost = { JobId: bigint, GroupId: smallint, ItemId: int };
const stopped = { Key: bigint, GroupId: smallint, ItemId: int };
const stoppedOfRun = { ItemId: int };

export const finishItems = procedure({
  name: 'FinishItems',
  schema: 'granary',
  section: 'Granary',
  summary: 'Marks many items that a worker holds as finished, and lists those that it no longer holds.',
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
    const finishing = { now, jobs: await jobsById(db, items) };
    const runs = runsOf(items);
    const notHeld = new Set<HeldItem>();
    for (const run of runs.filter(({ length }) => length >= worthAStatement))
      for (const part of partsOf(run)) await stopRun(db, finishing, part, notHeld);
    for (const part of partsOf(runs.filter(({ length }) => length < worthAStatement).flat()))
      await stopNamed(db, finishing, part, notHeld);
    const finished = items.filter((item) => !notHeld.has(item));
    await note(db, finishing, finished);
    return { outcome: 'done', sets: { Lost: notHeld.size === 0 ? [] : lostOf(items, finished) } };
  },
});

/** The items that were not finished, in the order of the list, which may contain one twice. */
function lostOf(items: readonly HeldItem[], finished: readonly HeldItem[]): ItemName[] {
  const keyOf = ({ JobId, GroupId, ItemId }: ItemName): string => itemKey(JobId, GroupId, ItemId);
  const done = new Set(finished.map(keyOf));
  return items.flatMap((item) =>
    done.has(keyOf(item)) ? [] : [{ JobId: item.JobId, GroupId: item.GroupId, ItemId: item.ItemId }],
  );
}

/** The moment, and the jobs of the items. */
interface Finishing {
  readonly now: Date;
  readonly jobs: Awaited<ReturnType<typeof jobsById>>;
}

/** The StopTime of items of a job: never before the moment up to which its items are deleted. */
const stopTimeOf = (now: Date, { ExpiredBefore }: { readonly ExpiredBefore: Date }): Date =>
  ExpiredBefore > now ? ExpiredBefore : now;

/** Consecutive items in the list, of one group and under one lease: as a worker claimed them. */
function runsOf(items: readonly HeldItem[]): HeldItem[][] {
  const runs: HeldItem[][] = [];
  let run: HeldItem[] = [];
  for (const item of items) {
    const [first] = run;
    if (first?.JobId === item.JobId && first.GroupId === item.GroupId && first.Lease === item.Lease) run.push(item);
    else {
      run = [item];
      runs.push(run);
    }
  }
  return runs;
}

/** The new values of an item that is finished. */
const cleared = sql`leased_until = null, error_code = null, worker = null`;

/** The lease is inside coalesce so that no planner starts with the index of leases, which contains everybody's. */
const isStillHeld = (now: Date): Sql =>
  sql`items.stop_time is null and coalesce(items.leased_until, 0) > ${leaseTime(now)}`;

/** One range scan of the key, where a list of names would be looked up one by one. */
async function stopRun(db: Db, { now, jobs }: Finishing, run: readonly HeldItem[], notHeld: Set<HeldItem>) {
  const [first] = run;
  const job = first && jobs.get(first.JobId);
  const rows = job
    ? await db.all(
        stoppedOfRun,
        sql`
          update items set stop_time = ${stopTimeOf(now, job)}, ${cleared}
          where items.job_key = ${job.Key} and items.group_id = ${first.GroupId} and ${isOneOf(run)}
            and items.lease = ${first.Lease} and ${isStillHeld(now)}
          returning items.item_id as "ItemId"`,
      )
    : [];
  if (rows.length === run.length) return;
  const done = new Set(rows.map(({ ItemId }) => ItemId));
  for (const item of run) if (!done.has(item.ItemId)) notHeld.add(item);
}

function isOneOf(run: readonly HeldItem[]): EachEngine {
  const ids = list(
    'bigint',
    run.map(({ ItemId }) => ItemId),
  );
  return eachEngine({ sqlite: sql`items.item_id in ${ids}`, postgres: sql`items.item_id = any (array${ids})` });
}

async function stopNamed(db: Db, { now, jobs }: Finishing, items: readonly HeldItem[], notHeld: Set<HeldItem>) {
  const held = table(
    { job: 'bigint', in_group: 'bigint', item: 'bigint', lease: 'bigint', stopped: 'bigint' },
    items.flatMap(({ JobId, GroupId, ItemId, Lease }) => {
      const job = jobs.get(JobId);
      return job === undefined ? [] : [[job.Key, GroupId, ItemId, Lease, stopTimeOf(now, job)]];
    }),
  );
  const rows = await db.all(
    stopped,
    sql`
      update items set stop_time = n.stopped, ${cleared}
      from ${held} n
      where items.job_key = n.job and items.group_id = n.in_group and items.item_id = n.item
        and items.lease = n.lease and ${isStillHeld(now)}
      returning items.job_key as "Key", items.group_id as "GroupId", items.item_id as "ItemId"`,
  );
  const done = new Set(rows.map(({ Key, GroupId, ItemId }) => itemKey(Key, GroupId, ItemId)));
  for (const item of items)
    if (!done.has(itemKey(jobs.get(item.JobId)?.Key, item.GroupId, item.ItemId))) notHeld.add(item);
}

async function note(db: Db, { now, jobs }: Finishing, finished: readonly HeldItem[]): Promise<void> {
  const ids = [...new Set(finished.map(({ JobId }) => JobId))];
  const theirs = ids.flatMap((id) => jobs.get(id) ?? []);
  if (theirs.length === 0) return;
  const times = theirs.map((job) => stopTimeOf(now, job).getTime());
  const keys = theirs.map(({ Key }) => Key);
  await noteStops(db, keys, new Date(Math.min(...times)), new Date(Math.max(...times)));
}
