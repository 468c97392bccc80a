import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';

export const removeCrawlStoreFromAllCrawls = procedure({
  name: 'proc_MSS_RemoveCrawlStoreFromAllCrawls',
  section: 'MS-SQLPGAT2 3.1.5.72',
  summary: 'Removes a crawl store from every crawl.',
  access: 'write',
  params: { GthrDBID: nullable(int, 'The ordinal of the crawl store.') },
  outcomes: done,
  async handle({ db }, { GthrDBID }) {
    await db.run(sql`delete from crawl_store_status where crawl_store = ${GthrDBID}`);
    return { outcome: 'done' };
  },
});
