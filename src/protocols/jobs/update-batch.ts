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

/** Marks items as started, then items as failed, and tells the groups they are in, each once. */
export async function updateBatch(db: Db, now: Date, { started, failed }: BatchUpdate): Promise<UpdatedGroup[]> {
  const groups = new Map<string, UpdatedGroup>();
  for (const group of [...(await start(db, now, started)), ...(await fail(db, now, failed))]) {
    groups.set(`${group.Key}/${group.Group}`, group);
  }
  if (groups.size > 0) await settleWaiting(db, keysOf([...groups.values()]));
  return [...groups.values()];
}

/** What proc_UpdateConversionBatch tells of the groups, with the columns of the job `j` that a protocol has itself. */
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

const keysOf = (groups: readonly UpdatedGroup[]): bigint[] => [...new Set(groups.map(({ Key }) => Key))];

async function start(db: Db, now: Date, items: BatchUpdate['started']): Promise<UpdatedGroup[]> {
  if (items.length === 0) return [];
  const named = table(
    { ...columns, worker: 'text' },
    items.map(({ JobId, GroupId, ItemId, Worker }) => [JobId, GroupId, ItemId, Worker]),
  );
  const groups = await db.all(
    updated,
    sql`
      update items set
        start_time = ${now},
        worker = n.worker,
        attempts_remaining = case when items.attempts_remaining > 0 then items.attempts_remaining - 1 else 0 end
      from ${named} n join jobs j on j.job_id = n.job
      where items.job_key = j.job_key and items.group_id = n.in_group and items.item_id = n.item
        and (items.stop_time is null or items.stop_time >= j.expired_before)
      returning items.job_key as "Key", items.group_id as "Group"`,
  );
  if (groups.length > 0) await noteRunning(db, keysOf(groups), now);
  return groups;
}

async function fail(db: Db, now: Date, items: BatchUpdate['failed']): Promise<UpdatedGroup[]> {
  if (items.length === 0) return [];
  const named = table(
    { ...columns, error: 'bigint' },
    items.map(({ JobId, GroupId, ItemId, ErrorCode }) => [JobId, GroupId, ItemId, ErrorCode]),
  );
  const groups = await db.all(
    { ...updated, StopTime: datetime },
    sql`
      update items set
        worker = null,
        error_code = n.error,
        stop_time = ${stopTime(now)}
      from ${named} n join jobs j on j.job_id = n.job
      where items.job_key = j.job_key and items.group_id = n.in_group and items.item_id = n.item
        and (items.stop_time is null or items.stop_time >= j.expired_before)
      returning items.job_key as "Key", items.group_id as "Group", items.stop_time as "StopTime"`,
  );
  const last = groups.reduce((latest, { StopTime }) => Math.max(latest, StopTime.getTime()), now.getTime());
  if (groups.length > 0) await noteStops(db, keysOf(groups), now, new Date(last));
  return groups;
}
