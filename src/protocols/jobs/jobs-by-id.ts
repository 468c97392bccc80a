import type { Row } from '../../base/stored.ts';
import type { Db } from '../../engine/db.ts';
import { list, sql } from '../../engine/sql.ts';
import { bigint, datetime } from '../../tds/types/index.ts';

const found = { JobId: bigint, Key: bigint, ExpiredBefore: datetime };

/**
 * The jobs of items, by JobId. Looked up first, because a planner that joins a hundred items with their jobs may read
 * every job of the database.
 */
export async function jobsById(
  db: Db,
  items: Iterable<{ readonly JobId: bigint }>,
): Promise<Map<bigint, Row<typeof found>>> {
  const ids = [...new Set(Array.from(items, ({ JobId }) => JobId))];
  if (ids.length === 0) return new Map();
  const jobs = await db.all(
    found,
    sql`
      select job_id as "JobId", job_key as "Key", expired_before as "ExpiredBefore" from jobs
      where job_id in ${list('bigint', ids)}`,
  );
  return new Map(jobs.map((job) => [job.JobId, job]));
}
