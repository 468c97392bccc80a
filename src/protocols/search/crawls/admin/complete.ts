import { sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { int } from '../../../../tds/types/index.ts';
import { isFoundation, stage } from '../../stage.ts';
import { crawlStatus, crawlType, project } from '../crawl-status.ts';
import { changeCrawl } from './change-crawl.ts';
import { newCrawl } from './new-crawl.ts';

/** Every anchor crawl is of this content source. */
const anchorContentSource = 1;

/** 148. */
export const complete = stage({
  summary: 'A crawl is done; an anchor crawl follows a portal crawl, and an anchor crawl that was forbidden meanwhile.',
  access: 'serial',
  heeds: ['CrawlID', 'ProjectID'],
  async run(call, { CrawlID, ProjectID }) {
    const done = sql`status = ${crawlStatus.done}, sub_status = 0, end_time = ${call.now}`;
    if (!(await changeCrawl(call, CrawlID, done)) || isFoundation(call)) return;
    let main: number | undefined;
    if (ProjectID === project.portalContent) main = CrawlID;
    if (ProjectID === project.anchor) main = await forbiddenSince(call, CrawlID);
    if (main === undefined) return;
    await newCrawl(call, {
      projectId: project.anchor,
      crawlType: crawlType.incremental,
      contentSourceId: anchorContentSource,
      mainCrawlId: main,
    });
  },
});

/** The portal crawl whose anchor crawl was forbidden while this one ran. */
async function forbiddenSince({ db }: Call, crawl: number): Promise<number | undefined> {
  const failed = await db.first(
    { main: int },
    sql`
      select main_crawl_id as "main" from crawls
      where project_id = ${project.anchor} and status = ${crawlStatus.forbid} and crawl_id > ${crawl}
      order by crawl_id desc limit 1`,
  );
  return failed?.main;
}
