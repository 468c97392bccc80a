import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';

/** Forgets what a crawl has noted for the anchor crawl that would follow on it. */
export async function forgetChanges(db: Db, crawl: number): Promise<void> {
  await db.run(sql`delete from changed_targets where crawl_id = ${crawl}`);
  await db.run(sql`delete from changed_sources where crawl_id = ${crawl}`);
  await db.run(sql`delete from changed_deleted where crawl_id = ${crawl}`);
  await db.run(sql`delete from changed_committed where crawl_id = ${crawl}`);
}
