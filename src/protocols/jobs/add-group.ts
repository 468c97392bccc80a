import { sqlError } from '../../base/messages/sql-error.ts';
import type { Bindable } from '../../base/stored.ts';
import { sql } from '../../engine/sql.ts';
import type { Call } from '../../procedure/call.ts';
import { bigint } from '../../tds/types/index.ts';
import { duplicateGroup, duplicateItem, unknownJob } from './errors.ts';
import type { NewItem, NewItems } from './xml/job-add.ts';

/** A group as passed to proc_AddGroup. */
interface NewGroup {
  readonly JobId: bigint;
  readonly GroupId: number;
  readonly InputRoot: string | null;
  readonly OutputRoot: string | null;
  readonly MaxAttemptsCount: number;
  readonly listed: NewItems;
}

/** Adds a group and its items, or fails with 220, 547 or 2627; all of it is one transaction with the call. */
export async function addGroup({ db, database }: Pick<Call, 'db' | 'database'>, group: NewGroup): Promise<void> {
  const { JobId, GroupId, InputRoot, OutputRoot, MaxAttemptsCount, listed } = group;
  const { items, repeated } = listed;
  // @MaxAttemptsCount is a smallint, AttemptsRemaining a tinyint (3.1.1).
  if (MaxAttemptsCount < 0 || MaxAttemptsCount > 255) throw sqlError(220, 'tinyint', MaxAttemptsCount);
  // The group is new, so only the document itself can contain an item twice.
  if (repeated !== undefined) throw duplicateItem(JobId, GroupId, repeated);
  const job = await db.first(
    { Key: bigint },
    sql`
      update jobs set item_total = item_total + ${items.length}, waiting = 1
      where job_id = ${JobId}
      returning job_key as "Key"`,
  );
  if (job === undefined) throw unknownJob(database);
  const added = await db.run(sql`
    insert into groups (job_key, group_id, input_root, output_root, max_attempts)
    values (${job.Key}, ${GroupId}, ${InputRoot}, ${OutputRoot}, ${MaxAttemptsCount})
    on conflict (job_key, group_id) do nothing`);
  if (added === 0) throw duplicateGroup(JobId, GroupId);
  await db.insert(
    'items',
    ['job_key', 'group_id', 'item_id', 'attempts_remaining', 'input_file', 'output_file'],
    rowsOf(items, (item) => [job.Key, GroupId, item.ItemId, MaxAttemptsCount, item.InputFile, item.OutputFile]),
  );
}

/** The rows of items, generated one at a time: a large group has hundreds of thousands. */
function* rowsOf(
  items: Iterable<NewItem>,
  rowOf: (item: NewItem) => readonly Bindable[],
): Generator<readonly Bindable[]> {
  for (const item of items) yield rowOf(item);
}
