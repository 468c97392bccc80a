import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { crawlStatus } from '../../crawls/crawl-status.ts';
import { isFoundation, stage } from '../../stage.ts';
import { number } from '../values.ts';
import { isInQueue } from './queue-of.ts';

/** 141. */
export const tellWhetherDone = stage({
  summary: 'Returns whether anything is left to do for a crawl in this store.',
  access: 'read',
  heeds: ['CrawlID'],
  sets: ['CrawlStatus'],
  async run(call, { CrawlID }) {
    const isLeft = (await hasLinks(call.db, CrawlID, !isFoundation(call))) || (await isInQueue(call.db, CrawlID));
    return { CrawlStatus: isLeft ? crawlStatus.started : crawlStatus.done };
  },
});

/** 151. */
export const tellWhetherLinksAreGone = stage({
  summary: 'Returns whether any links are left of a crawl in this store.',
  access: 'read',
  heeds: ['CrawlID'],
  sets: ['MiscOutputData'],
  run: async (call, { CrawlID }) => ({
    MiscOutputData: (await hasLinks(call.db, CrawlID, !isFoundation(call))) ? 0 : 1,
  }),
});

async function hasLinks(db: Db, crawl: number, countColleagues: boolean): Promise<boolean> {
  const links = sql`exists (select 1 from crawl_links where crawl_id = ${crawl})`;
  const colleagues = countColleagues ? sql`or exists (select 1 from colleague_links where crawl_id = ${crawl})` : sql``;
  const row = await db.first(
    { there: number },
    sql`select case when ${links} ${colleagues} then 1 else 0 end as "there"`,
  );
  return row?.there === 1;
}
