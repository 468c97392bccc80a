import type { Db } from '../../engine/db.ts';
import { sql } from '../../engine/sql.ts';
import { bigint } from '../../tds/types/index.ts';

/**
 * The key of a new job: above every key in use. Groups and items refer to it and not to the JobId, so that a JobId may
 * be reused while items of an expired job with the same JobId still wait for upkeep.
 */
export async function nextJobKey(db: Db): Promise<bigint> {
  const last = await db.first(
    { Key: bigint },
    sql`
      select coalesce(max(used.job_key), 0) as "Key"
      from (select max(job_key) as job_key from jobs union all select max(job_key) as job_key from purges) used`,
  );
  return (last?.Key ?? 0n) + 1n;
}
