import { sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { int } from '../../../../tds/types/index.ts';
import { crawlRequest, crawlStatus } from '../crawl-status.ts';

/** A requested crawl. */
interface NewCrawl {
  readonly projectId: number;
  readonly crawlType: number;
  readonly contentSourceId: number;
  /** The portal crawl that an anchor crawl follows; 0 for a portal crawl. */
  readonly mainCrawlId: number;
}

/** Adds a crawl that is requested to start, with an identifier greater than all earlier ones, and returns that. */
export async function newCrawl({ db, now }: Call, wanted: NewCrawl): Promise<number> {
  const next = await db.first(
    { id: int },
    sql`update last_crawl set crawl_id = crawl_id + 1 returning crawl_id as "id"`,
  );
  if (next === undefined) throw new Error('The number of the last crawl is gone.');
  await db.run(sql`
    insert into crawls (crawl_id, project_id, crawl_type, content_source_id, main_crawl_id, status, sub_status, request,
      request_time, since)
    values (${next.id}, ${wanted.projectId}, ${wanted.crawlType}, ${wanted.contentSourceId}, ${wanted.mainCrawlId},
      ${crawlStatus.requested}, 0, ${crawlRequest.start}, ${now}, ${now})`);
  return next.id;
}
