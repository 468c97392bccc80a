import { type Sql, sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';

/**
 * Changes a crawl, as in `status = 4, sub_status = 1`, and records when; `where` may add a condition. False if no crawl
 * matches.
 */
export async function changeCrawl({ db, now }: Call, crawlId: number, changes: Sql, where = sql``): Promise<boolean> {
  return (await db.run(sql`update crawls set ${changes}, since = ${now} where crawl_id = ${crawlId} ${where}`)) > 0;
}
