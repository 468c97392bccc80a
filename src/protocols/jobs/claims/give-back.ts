import type { Db } from '../../../engine/db.ts';
import { type Sql, sql } from '../../../engine/sql.ts';
import { bigint } from '../../../tds/types/index.ts';
import { noteWaiting } from '../hints.ts';

/** Returns items that meet a condition to the queue as if they had never been claimed, and returns how many. */
export async function giveBack(db: Db, condition: Sql): Promise<number> {
  const items = await db.all(
    { Key: bigint },
    sql`
      update items set start_time = null, worker = null, leased_until = null,
        attempts_remaining = case
          when items.attempts_remaining < coalesce(
            (select g.max_attempts from groups g where g.job_key = items.job_key and g.group_id = items.group_id), 255)
          then items.attempts_remaining + 1
          else items.attempts_remaining
        end
      where ${condition}
      returning items.job_key as "Key"`,
  );
  for (const key of new Set(items.map(({ Key }) => Key))) await noteWaiting(db, key);
  return items.length;
}
