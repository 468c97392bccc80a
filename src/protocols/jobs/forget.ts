import type { Db } from '../../engine/db.ts';
import { list, type Sql, sql } from '../../engine/sql.ts';
import { bigint } from '../../tds/types/index.ts';

/**
 * Deletes the jobs `j` that meet a condition. Their groups and items disappear for everyone at once, since every query
 * of an item goes through its job; the rows themselves are left to upkeep, so that no call waits for a large job.
 */
export async function forgetJobs(db: Db, condition: Sql): Promise<void> {
  const jobs = await db.all({ Key: bigint }, sql`delete from jobs as j where ${condition} returning job_key as "Key"`);
  await leaveToUpkeep(
    db,
    jobs.map(({ Key }) => ({ Key, StoppedBefore: null })),
  );
}

/** What upkeep has to remove: the items of a job that stopped before a moment, or (NULL) everything under its key. */
interface Purge {
  readonly Key: bigint;
  readonly StoppedBefore: Date | null;
}

/** Records rows for upkeep to remove. */
export async function leaveToUpkeep(db: Db, purges: readonly Purge[]): Promise<void> {
  if (purges.length === 0) return;
  const keys = purges.map(({ Key }) => Key);
  await db.run(sql`delete from purges where job_key in ${list('bigint', keys)}`);
  await db.insert(
    'purges',
    ['job_key', 'stopped_before'],
    purges.map(({ Key, StoppedBefore }) => [Key, StoppedBefore]),
  );
}
