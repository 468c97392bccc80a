import { ruleBroken } from '../../../base/messages/sql-error.ts';
import type { Row } from '../../../base/stored.ts';
import type { Db } from '../../../engine/db.ts';
import { type Sql, sql } from '../../../engine/sql.ts';
import type { Call } from '../../../procedure/call.ts';
import { type Columns, orNull } from '../../../procedure/declare.ts';
import { optional, required } from '../../../procedure/param.ts';
import { bigint, bit, datetime, int, nvarchar, smallint, tinyint, uniqueidentifier } from '../../../tds/types/index.ts';
import { batchColumns, inOrder, locked, lockedInTurn, type Narrowing, runsInLine, stale } from '../hand-out.ts';
import { noteClaimed } from '../hints.ts';
import { jobsById } from '../jobs-by-id.ts';
import { itemKey } from '../named-item.ts';
import { partsOf, rowsOf, type UpdatedGroup } from '../update-batch.ts';
import { lapsedItems } from './lease.ts';
import { leaseLength, leaseParam, ownParam, workerParam } from './params.ts';
import { isPresenceFresh, notePresence } from './presence.ts';
import { endSpent } from './spent.ts';
import { type StartedItem, type Starting, startedColumns, startFirst, startNamed } from './start-items.ts';
import { ownOnly, ownWork, work } from './work.ts';

const mostItems = 1000;

/** The parameters of ClaimItems that all protocols have. */
export const claimParams = {
  ...workerParam,
  Count: required(int, `The most items to claim: 1 to ${mostItems}.`),
  ...leaseParam,
  Name: optional(nvarchar(256), null, 'What people call the worker.'),
  InProgressThreshold: optional(
    datetime,
    null,
    'Items that others than claimants started before this moment (UTC) may be taken too; NULL leaves them alone.',
  ),
  ...ownParam,
};

/** An item as the fetch procedures of the protocols list it. */
export const claimable = {
  JobId: bigint,
  GroupId: smallint,
  ItemId: int,
  InProgress: bit,
  InputFile: nvarchar('max'),
  OutputFile: orNull(nvarchar('max')),
  AttemptsRemaining: tinyint,
  WorkerServerInstance: orNull(uniqueidentifier),
  StartTime: orNull(datetime),
  CreateTime: datetime,
};
type Claimable = Row<typeof claimable>;

/** An item as ClaimItems returns it to its worker. */
export const claimedItems = { JobId: bigint, ...startedColumns, CreateTime: datetime };

/** A worker's request. */
interface Claiming {
  readonly Worker: string;
  readonly Count: number;
  readonly LeaseSeconds: number | null;
  readonly Name: string | null;
  readonly InProgressThreshold: Date | null;
  readonly Own: boolean | null;
}

/** The protocol-specific part. */
interface Own<G extends Columns> {
  /** Items not started, up to a number, if these are not simply those of the first jobs in the queue. */
  dealt?(db: Db, most: number, narrowing: Narrowing): Promise<readonly Claimable[]>;
  /** What proc_UpdateConversionBatch returns about a group, and the columns of the job `j` in it. */
  readonly groups: G;
  readonly columns: Sql;
}

/**
 * The result of a claim that would find nothing; undefined if there may be something, or the worker's presence must be
 * recorded.
 */
export async function nothingToClaim({ db, now }: Call, claiming: Claiming) {
  const { Worker, LeaseSeconds, Count, InProgressThreshold, Own } = claiming;
  const length = lengthOf(Count, LeaseSeconds);
  if (InProgressThreshold !== null || !(await isPresenceFresh(db, now, Worker, length))) return undefined;
  if ((await db.first({ One: int }, (Own === true ? ownWork : work)(now))) !== undefined) return undefined;
  return { outcome: 'done' as const, sets: { Items: [], Groups: [] } };
}

/** Claims items for a worker: first those with expired leases, then stale ones, then those not started. */
export async function claim<G extends Columns>({ db, now }: Call, claiming: Claiming, own: Own<G>) {
  const { Worker, Count, LeaseSeconds } = claiming;
  const isOwn = claiming.Own === true;
  const length = lengthOf(Count, LeaseSeconds);
  await notePresence(db, now, claiming, length);
  const inProgress = await free(db, now, claiming);
  const chosen = inProgress.slice(0, Count);
  const most = Count - chosen.length;
  const narrowed = isOwn ? ownOnly : sql``;
  if (own.dealt !== undefined && most > 0) chosen.push(...(await own.dealt(db, most, { narrowed, locking: locked })));
  const starting = { Worker, now, length };
  const claimed = await startChosen(db, starting, chosen);
  if (own.dealt === undefined) claimed.push(...(await startWaiting(db, starting, most, narrowed)));
  const { items, groups } = await noted(db, now, claimed);
  const sets = {
    Items: items,
    Groups: groups.length === 0 ? [] : await db.all(own.groups, rowsOf(groups, own.columns)),
  };
  return { outcome: 'done' as const, sets };
}

function lengthOf(Count: number, LeaseSeconds: number | null): number {
  if (Count < 1 || Count > mostItems) throw ruleBroken(`@Count is ${Count}; 1 to ${mostItems} items can be claimed.`);
  return leaseLength(LeaseSeconds);
}

/** Items in progress that nobody works on any more; those without attempts left are ended. */
async function free(db: Db, now: Date, { Count, InProgressThreshold: threshold, Own }: Claiming): Promise<Claimable[]> {
  const own = Own === true;
  const items = await db.all(
    claimable,
    sql`
      select ${batchColumns} ${lapsedItems(now, own)} order by ${inOrder} limit ${Count} ${lockedInTurn}`,
  );
  if (threshold !== null) {
    const narrowed = sql`and i.leased_until is null ${own ? sql`and j.own = 1` : sql``}`;
    for await (const page of stale(db, claimable, threshold, Count, { narrowed, locking: locked })) items.push(...page);
  }
  const spent = items.filter(({ AttemptsRemaining }) => AttemptsRemaining === 0);
  await endSpent(db, now, spent);
  return items.filter(({ AttemptsRemaining }) => AttemptsRemaining > 0);
}

/** A started item as its worker sees it, and the key of its job. */
interface Claimed {
  readonly Key: bigint;
  readonly item: Row<typeof claimedItems>;
}

/** Starts chosen items; those that have ended meanwhile are left out. */
async function startChosen(db: Db, starting: Starting, chosen: readonly Claimable[]): Promise<Claimed[]> {
  const byId = await jobsById(db, chosen);
  const keyOf = ({ JobId }: Claimable): bigint | null => byId.get(JobId)?.Key ?? null;
  const rows = new Map<string, StartedItem>();
  for (const part of partsOf(chosen)) {
    const named = part.map((item) => [keyOf(item), item.GroupId, item.ItemId] as const);
    for (const row of await startNamed(db, starting, named)) rows.set(itemKey(row.Key, row.GroupId, row.ItemId), row);
  }
  return chosen.flatMap((item) => {
    const row = rows.get(itemKey(keyOf(item), item.GroupId, item.ItemId));
    return row === undefined ? [] : [claimedOf(row, item)];
  });
}

/** Starts items of the jobs in the queue. */
async function startWaiting(db: Db, starting: Starting, most: number, narrowed: Sql): Promise<Claimed[]> {
  const claimed: Claimed[] = [];
  if (most <= 0) return claimed;
  for await (const run of runsInLine(db, most, narrowed)) {
    const jobs = new Map(run.map((job) => [job.Key, job]));
    for (const part of partsOf(Array.from({ length: most - claimed.length }))) {
      const started = await startFirst(db, starting, run, part.length);
      for (const item of started) {
        const job = jobs.get(item.Key);
        if (job !== undefined) claimed.push(claimedOf(item, job));
      }
      if (started.length < part.length) break;
    }
    if (claimed.length >= most) break;
  }
  return claimed;
}

function claimedOf(started: StartedItem, job: Pick<Claimable, 'JobId' | 'CreateTime'>): Claimed {
  const { Key, GroupId, ItemId, Lease, LeaseUntil, InputFile, OutputFile, AttemptsRemaining } = started;
  const { JobId, CreateTime } = job;
  return {
    Key,
    item: { JobId, GroupId, ItemId, Lease, LeaseUntil, InputFile, OutputFile, AttemptsRemaining, CreateTime },
  };
}

/** The answer for the worker, and the groups; items of a job deleted meanwhile are dropped. */
async function noted(db: Db, now: Date, claimed: readonly Claimed[]) {
  const keys = [...new Set(claimed.map(({ Key }) => Key))];
  const jobs = keys.length === 0 ? new Set<bigint>() : await noteClaimed(db, keys, now);
  const items: Row<typeof claimedItems>[] = [];
  const groups: UpdatedGroup[] = [];
  const known = new Map<bigint, Set<number>>();
  for (const { Key, item } of claimed) {
    if (!jobs.has(Key)) continue;
    items.push(item);
    const ofJob = known.get(Key) ?? new Set();
    known.set(Key, ofJob);
    if (ofJob.has(item.GroupId)) continue;
    ofJob.add(item.GroupId);
    groups.push({ Key, Group: item.GroupId });
  }
  return { items, groups };
}
