import { ruleBroken } from '../../../base/sql-error.ts';
import type { Row } from '../../../base/stored.ts';
import type { Db } from '../../../engine/db.ts';
import { type Sql, sql, table } from '../../../engine/sql.ts';
import type { Call } from '../../../procedure/call.ts';
import { type Columns, orNull } from '../../../procedure/declare.ts';
import { optional, required } from '../../../procedure/param.ts';
import { bigint, bit, datetime, int, nvarchar, smallint, tinyint, uniqueidentifier } from '../../../tds/types/index.ts';
import { batchColumns, inOrder, locked, lockedInTurn, type Narrowing, type Pages, stale } from '../hand-out.ts';
import { noteClaimed } from '../hints.ts';
import { jobsById } from '../jobs-by-id.ts';
import { itemKey } from '../named-item.ts';
import { partsOf, rowsOf, takeAttempt, type UpdatedGroup } from '../update-batch.ts';
import { isLapsed, leaseTime } from './lease.ts';
import { leaseLength, leaseParam, ownParam, workerParam } from './params.ts';
import { isPresenceFresh, notePresence } from './presence.ts';
import { endSpent } from './spent.ts';
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

/** An item as ClaimItems hands it to its worker. */
export const claimedItems = {
  JobId: bigint,
  GroupId: smallint,
  ItemId: int,
  Lease: bigint,
  LeaseUntil: datetime,
  InputFile: nvarchar('max'),
  OutputFile: orNull(nvarchar('max')),
  AttemptsRemaining: tinyint,
  CreateTime: datetime,
};

/** What a worker asks for. */
interface Claiming {
  readonly Worker: string;
  readonly Count: number;
  readonly LeaseSeconds: number | null;
  readonly Name: string | null;
  readonly InProgressThreshold: Date | null;
  readonly Own: boolean | null;
}

/** What a protocol has of its own. */
interface Own<G extends Columns> {
  /** Items not started, up to a number, in the order of the protocol's fetch procedure. */
  notStarted(db: Db, most: number, narrowing: Narrowing): Pages<typeof claimable>;
  /** What proc_UpdateConversionBatch tells of a group, and the columns of the job `j` in it. */
  readonly groups: G;
  readonly columns: Sql;
}

/** The answer of a claim that would find nothing: undefined when there may be something, or it is time to note the worker. */
export async function nothingToClaim({ db, now }: Call, claiming: Claiming) {
  const { Worker, LeaseSeconds, Count, InProgressThreshold, Own } = claiming;
  const length = lengthOf(Count, LeaseSeconds);
  if (InProgressThreshold !== null || !(await isPresenceFresh(db, now, Worker, length))) return undefined;
  if ((await db.first({ One: int }, (Own === true ? ownWork : work)(now))) !== undefined) return undefined;
  return { outcome: 'done' as const, sets: { Items: [], Groups: [] } };
}

/** Claims items for a worker: whose leases ran out first, then what is stale, then what is not started. */
export async function claim<G extends Columns>({ db, now }: Call, claiming: Claiming, own: Own<G>) {
  const { Worker, Count, LeaseSeconds } = claiming;
  const isOwn = claiming.Own === true;
  const length = lengthOf(Count, LeaseSeconds);
  await notePresence(db, now, claiming, length);
  const inProgress = await free(db, now, claiming);
  const chosen = inProgress.slice(0, Count);
  const narrowing = { narrowed: isOwn ? ownOnly : sql``, locking: locked };
  for await (const page of own.notStarted(db, Count - chosen.length, narrowing)) chosen.push(...page);
  const { items, groups } = await mark(db, now, Worker, length, chosen);
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

/** Items in progress that nobody works on any more; those that have no attempt left are ended. */
async function free(db: Db, now: Date, { Count, InProgressThreshold: threshold, Own }: Claiming): Promise<Claimable[]> {
  const own = Own === true;
  const items = await db.all(
    claimable,
    sql`
      select ${batchColumns} from items i join jobs j on j.job_key = i.job_key
      where ${isLapsed(now, own)} order by ${inOrder} limit ${Count} ${lockedInTurn}`,
  );
  if (threshold !== null) {
    const narrowed = sql`and i.leased_until is null ${own ? sql`and j.own = 1` : sql``}`;
    for await (const page of stale(db, claimable, threshold, Count, { narrowed, locking: locked })) items.push(...page);
  }
  const spent = items.filter(({ AttemptsRemaining }) => AttemptsRemaining === 0);
  await endSpent(db, now, spent);
  return items.filter(({ AttemptsRemaining }) => AttemptsRemaining > 0);
}

const marked = {
  Key: bigint,
  Group: smallint,
  Item: int,
  Lease: bigint,
  LeaseUntil: datetime,
  AttemptsRemaining: tinyint,
};

/** Starts items as proc_UpdateConversionBatch does, under leases with numbers that the items never had. */
async function mark(db: Db, now: Date, Worker: string, length: number, chosen: readonly Claimable[]) {
  const rows = new Map<string, Row<typeof marked>>();
  const byId = await jobsById(db, chosen);
  const keyOf = ({ JobId }: Claimable): bigint | null => byId.get(JobId)?.Key ?? null;
  for (const part of partsOf(chosen)) {
    const named = table(
      { job: 'bigint', in_group: 'bigint', item: 'bigint' },
      part.map((item) => [keyOf(item), item.GroupId, item.ItemId]),
    );
    const changed = await db.all(
      marked,
      sql`
        update items set
          start_time = ${now},
          worker = ${Worker},
          lease = case when items.lease >= ${leaseTime(now)} then items.lease + 1 else ${leaseTime(now)} end,
          leased_until = ${leaseTime(now, length)},
          ${takeAttempt}
        from ${named} n
        where items.job_key = n.job and items.group_id = n.in_group and items.item_id = n.item
          and items.stop_time is null
        returning items.job_key as "Key", items.group_id as "Group", items.item_id as "Item",
          items.lease as "Lease", items.leased_until as "LeaseUntil", items.attempts_remaining as "AttemptsRemaining"`,
    );
    for (const row of changed) rows.set(itemKey(row.Key, row.Group, row.Item), row);
  }
  const keys = [...new Set(Array.from(rows.values(), ({ Key }) => Key))];
  const jobs = keys.length === 0 ? new Set<bigint>() : await noteClaimed(db, keys, now);
  const groups = new Map<string, UpdatedGroup>();
  for (const { Key, Group } of rows.values()) if (jobs.has(Key)) groups.set(`${Key}/${Group}`, { Key, Group });
  const items = chosen.flatMap((item) => {
    const { JobId, GroupId, ItemId, InputFile, OutputFile, CreateTime } = item;
    const row = rows.get(itemKey(keyOf(item), GroupId, ItemId));
    // Its job may have been deleted meanwhile.
    if (row === undefined || !jobs.has(row.Key)) return [];
    const { Lease, LeaseUntil, AttemptsRemaining } = row;
    return [{ JobId, GroupId, ItemId, Lease, LeaseUntil, InputFile, OutputFile, AttemptsRemaining, CreateTime }];
  });
  return { items, groups: [...groups.values()] };
}
