import { sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { isFoundation } from '../../stage.ts';

/**
 * Forgets what a crawl has noted for the anchor crawl that would follow it. In the Foundation role none follows, so what was
 * committed late in crawls that were over is forgotten too: nothing else would remove it.
 */
export async function forgetChanges(call: Call, crawl: number): Promise<void> {
  const isOver = isFoundation(call) ? sql`or crawl_id in (select crawl_id from completed_crawls)` : sql``;
  await call.db.run(sql`delete from changed_targets where crawl_id = ${crawl} ${isOver}`);
  await call.db.run(sql`delete from changed_sources where crawl_id = ${crawl} ${isOver}`);
  await call.db.run(sql`delete from changed_deleted where crawl_id = ${crawl} ${isOver}`);
  await call.db.run(sql`delete from changed_committed where crawl_id = ${crawl} ${isOver}`);
}
