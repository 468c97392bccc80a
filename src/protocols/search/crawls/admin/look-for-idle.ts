import { sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { int } from '../../../../tds/types/index.ts';
import { stage } from '../../stage.ts';
import { crawlStatus, crawlType, project, subStatus } from '../crawl-status.ts';
import { hasLoneStore } from '../lone-store.ts';
import { changeCrawl } from './change-crawl.ts';

const { crawling, moveUnvisited, deleteUnvisited, waitAllStores } = subStatus.started;

/**
 * 140. The specification leaves open how long components must have been idle: one report is enough. While nobody visits
 * the documents of a store, none of them may be deleted as unvisited.
 */
export const lookForIdle = stage({
  summary: 'Advances a crawl once all of its components are idle.',
  access: 'write',
  heeds: ['CrawlID'],
  async run(call, { CrawlID }) {
    const next = await nextSubStatus(call, CrawlID);
    if (next !== undefined) await changeCrawl(call, CrawlID, sql`sub_status = ${next}`);
  },
});

async function nextSubStatus({ db }: Call, crawl: number): Promise<number | undefined> {
  const row = await db.first(
    { project: int, type: int, subStatus: int },
    sql`
      select project_id as "project", crawl_type as "type", sub_status as "subStatus" from crawls
      where crawl_id = ${crawl} and status = ${crawlStatus.started}
        and not exists (
          select 1 from crawl_component_status where crawl_id = ${crawl} and idle_since is null)
        and not ${hasLoneStore(sql`${crawl}`)}`,
  );
  if (row?.subStatus === deleteUnvisited) return waitAllStores;
  if (row?.subStatus !== crawling) return undefined;
  return row.project === project.anchor || row.type === crawlType.delete ? waitAllStores : moveUnvisited;
}
