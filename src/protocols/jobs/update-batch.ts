import type { Db } from '../../engine/db.ts';
import { type Sql, sql, table } from '../../engine/sql.ts';
import { bigint, datetime, smallint } from '../../tds/types/index.ts';
import { noteRunning, noteStops, settleWaiting } from './hints.ts';
import { stopTime } from './named-item.ts';
import type { BatchUpdate } from './xml/batch-update.ts';

/** A group that holds an updated item. */
export interface UpdatedGroup {
  readonly Key: bigint;
  readonly Group: number;
}

const updated = { Key: bigint, Group: smallint };
const columns = { job: 'bigint', in_group: 'bigint', item: 'bigint' } as const;

/** Items per statement. It takes SQLite some milliseconds, and others may run between two of them. */
const itemsAStatement = 500;

/** How a start reduces the attempts that an item has left. */
export const takeAttempt = sql`
  attempts_remaining = case when items.attempts_remaining > 0 then items.attempts_remaining - 1 else 0 end`;

/** Marks items as started, then items as failed, and returns their groups, each once. */
export async function updateBatch(db: Db, now: Date, { started, failed }: BatchUpdate): Promise<UpdatedGroup[]> {
  const groups = new Map([...(await start(db, now, started)), ...(await fail(db, now, failed))]);
  if (groups.size > 0) await settleWaiting(db, keysOf(groups));
  return [...groups.values()];
}

/** What proc_UpdateConversionBatch returns about the groups, with the protocol-specific columns of the job `j`. */
export function rowsOf(groups: readonly UpdatedGroup[], ownColumns: Sql): Sql {
  const updatedGroups = table(
    { job_key: 'bigint', group_id: 'bigint' },
    groups.map(({ Key, Group }) => [Key, Group]),
  );
  return sql`
    select j.job_id as "JobId", g.group_id as "GroupId", g.input_root as "InputRoot", g.output_root as "OutputRoot",
      j.settings as "Settings", ${ownColumns}
    from ${updatedGroups} u
      join groups g on g.job_key = u.job_key and g.group_id = u.group_id
      join jobs j on j.job_key = g.job_key
    order by j.job_id, g.group_id`;
}

/** Groups by their key. */
type Groups = Map<string, UpdatedGroup>;

const keysOf = (groups: Groups): bigint[] => [...new Set(Array.from(groups.values(), ({ Key }) => Key))];

function note(groups: Groups, { Key, Group }: UpdatedGroup): void {
  groups.set(`${Key}/${Group}`, { Key, Group });
}

async function start(db: Db, now: Date, items: BatchUpdate['started']): Promise<Groups> {
  const groups: Groups = new Map();
  for (const part of partsOf(items)) {
    const named = table(
      { ...columns, worker: 'text' },
      part.map(({ JobId, GroupId, ItemId, Worker }) => [JobId, GroupId, ItemId, Worker]),
    );
    const rows = await db.all(
      updated,
      sql`
        update items set
          start_time = ${now},
          worker = n.worker,
          leased_until = null,
          ${takeAttempt}
        from ${named} n join jobs j on j.job_id = n.job
        where items.job_key = j.job_key and items.group_id = n.in_group and items.item_id = n.item
          and (items.stop_time is null or items.stop_time >= j.expired_before)
        returning items.job_key as "Key", items.group_id as "Group"`,
    );
    for (const row of rows) note(groups, row);
  }
  if (groups.size > 0) await noteRunning(db, keysOf(groups), now);
  return groups;
}

async function fail(db: Db, now: Date, items: BatchUpdate['failed']): Promise<Groups> {
  const groups: Groups = new Map();
  let last = now.getTime();
  for (const part of partsOf(items)) {
    const named = table(
      { ...columns, error: 'bigint' },
      part.map(({ JobId, GroupId, ItemId, ErrorCode }) => [JobId, GroupId, ItemId, ErrorCode]),
    );
    const rows = await db.all(
      { ...updated, StopTime: datetime },
      sql`
        update items set
          worker = null,
          leased_until = null,
          error_code = n.error,
          stop_time = ${stopTime(now)}
        from ${named} n join jobs j on j.job_id = n.job
        where items.job_key = j.job_key and items.group_id = n.in_group and items.item_id = n.item
          and (items.stop_time is null or items.stop_time >= j.expired_before)
        returning items.job_key as "Key", items.group_id as "Group", items.stop_time as "StopTime"`,
    );
    for (const row of rows) {
      note(groups, row);
      last = Math.max(last, row.StopTime.getTime());
    }
  }
  if (groups.size > 0) await noteStops(db, keysOf(groups), now, new Date(last));
  return groups;
}

/** Splits items into portions for one statement each. */
export function* partsOf<T>(items: Iterable<T>): Generator<readonly T[], void> {
  let part: T[] = [];
  for (const item of items) {
    if (part.push(item) < itemsAStatement) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
