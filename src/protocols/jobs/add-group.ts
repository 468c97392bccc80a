import { sqlError } from '../../base/sql-error.ts';
import { sql } from '../../engine/sql.ts';
import type { Call } from '../../procedure/call.ts';
import { bigint } from '../../tds/types/index.ts';
import { duplicateGroup, duplicateItem, unknownJob } from './errors.ts';
import type { NewItem } from './xml/job-add.ts';

/** A group as proc_AddGroup gets it. */
export interface NewGroup {
  readonly JobId: bigint;
  readonly GroupId: number;
  readonly InputRoot: string | null;
  readonly OutputRoot: string | null;
  readonly MaxAttemptsCount: number;
  readonly items: readonly NewItem[];
}

/** Adds a group and its items, or fails with 220, 547 or 2627; all of it is one transaction with the call. */
export async function addGroup({ db, database }: Pick<Call, 'db' | 'database'>, group: NewGroup): Promise<void> {
  const { JobId, GroupId, InputRoot, OutputRoot, MaxAttemptsCount, items } = group;
  // @MaxAttemptsCount is a smallint, AttemptsRemaining a tinyint (3.1.1).
  if (MaxAttemptsCount < 0 || MaxAttemptsCount > 255) throw sqlError(220, 'tinyint', MaxAttemptsCount);
  refuseRepeatedIds(group);
  const job = await db.first(
    { Key: bigint },
    sql`
      update jobs set item_total = item_total + ${items.length}, waiting = 1
      where job_id = ${JobId}
      returning job_key as "Key"`,
  );
  if (job === undefined) throw unknownJob(database);
  const added = await db.run(sql`
    insert into groups (job_key, group_id, input_root, output_root)
    values (${job.Key}, ${GroupId}, ${InputRoot}, ${OutputRoot})
    on conflict (job_key, group_id) do nothing`);
  if (added === 0) throw duplicateGroup(JobId, GroupId);
  await db.insert(
    'items',
    ['job_key', 'group_id', 'item_id', 'attempts_remaining', 'input_file', 'output_file'],
    items.map(({ ItemId, InputFile, OutputFile }) => [
      job.Key,
      GroupId,
      ItemId,
      MaxAttemptsCount,
      InputFile,
      OutputFile,
    ]),
  );
}

/** The group is new, so only the document itself can name an item twice. */
function refuseRepeatedIds({ JobId, GroupId, items }: NewGroup): void {
  const seen = new Set<number>();
  for (const { ItemId } of items) {
    if (seen.has(ItemId)) throw duplicateItem(JobId, GroupId, ItemId);
    seen.add(ItemId);
  }
}
