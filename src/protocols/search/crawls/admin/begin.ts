import { sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';
import { int } from '../../../../tds/types/index.ts';
import { stage } from '../../stage.ts';
import { crawlRequest, crawlStatus, crawlType, isOngoing, subStatus } from '../crawl-status.ts';
import { changeCrawl } from './change-crawl.ts';

const { initializing, forbid } = crawlStatus;

/** 102. */
export const begin = stage({
  summary: 'Starts a crawl, or forbids it while another one of the content source is in progress.',
  access: 'serial',
  heeds: ['CrawlType', 'CrawlID', 'ContentSourceID'],
  async run(call, { CrawlType, CrawlID, ContentSourceID }) {
    if (!(await changeCrawl(call, CrawlID, sql`crawl_type = ${CrawlType}`))) return;
    if (CrawlType !== crawlType.delete && (await isCrawledAlready(call, CrawlID, ContentSourceID))) {
      await changeCrawl(call, CrawlID, sql`status = ${forbid}, sub_status = 0, request = ${crawlRequest.none}`);
      return;
    }
    if (CrawlType === crawlType.delete) {
      await call.db.run(sql`
        update requested_deletes set crawl_id = ${CrawlID} where crawl_id = 0 and content_source_id = ${ContentSourceID}`);
    }
    await changeCrawl(
      call,
      CrawlID,
      sql`status = ${initializing}, sub_status = ${subStatus.initializing.addingStartAddress},
        request = ${crawlRequest.none}, start_time = ${call.now}`,
    );
  },
});

/** Only crawls of the same project count: every anchor crawl has the content source 1. */
async function isCrawledAlready({ db }: Call, crawl: number, contentSource: number): Promise<boolean> {
  const other = await db.first(
    { there: int },
    sql`
      select 1 as "there" from crawls
      where content_source_id = ${contentSource} and ${isOngoing} and crawl_id <> ${crawl}
        and crawl_type <> ${crawlType.delete}
        and project_id = (select project_id from crawls where crawl_id = ${crawl}) limit 1`,
  );
  return other !== undefined;
}
