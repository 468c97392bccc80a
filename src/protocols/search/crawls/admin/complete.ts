import { sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { int } from '../../../../tds/types/index.ts';
import { isFoundation, stage } from '../../stage.ts';
import { crawlStatus, crawlType, project } from '../crawl-status.ts';
import { changeCrawl } from './change-crawl.ts';
import { newCrawl } from './new-crawl.ts';

/** Every anchor crawl has this content source. */
const anchorContentSource = 1;

/** 148. */
export const complete = stage({
  summary: 'Completes a crawl; an anchor crawl follows a portal crawl, or is requested again if it was forbidden.',
  access: 'serial',
  heeds: ['CrawlID', 'ProjectID'],
  async run(call, { CrawlID, ProjectID }) {
    const done = sql`status = ${crawlStatus.done}, sub_status = 0, end_time = ${call.now}`;
    if (!(await changeCrawl(call, CrawlID, done)) || isFoundation(call)) return;
    let main: number | undefined;
    if (ProjectID === project.portalContent) main = CrawlID;
    if (ProjectID === project.anchor) main = await lackingAnchors(call);
    if (main === undefined) return;
    await newCrawl(call, {
      projectId: project.anchor,
      crawlType: crawlType.incremental,
      contentSourceId: anchorContentSource,
      mainCrawlId: main,
    });
  },
});

/**
 * A portal crawl whose anchor crawl was forbidden and that has had none since: the latest; the others follow in turn
 * when its anchor crawl has ended.
 */
async function lackingAnchors({ db }: Call): Promise<number | undefined> {
  const failed = await db.first(
    { main: int },
    sql`
      select f.main_crawl_id as "main" from crawls f
      where f.project_id = ${project.anchor} and f.status = ${crawlStatus.forbid} and not exists (
        select 1 from crawls a
        where a.project_id = ${project.anchor} and a.main_crawl_id = f.main_crawl_id and a.crawl_id > f.crawl_id)
      order by f.crawl_id desc limit 1`,
  );
  return failed?.main;
}
