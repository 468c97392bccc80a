import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';
import { isUsable } from './admin/joining.ts';
import { isOngoing } from './crawl-status.ts';

export const crawlStoreToJoinAllOngoingCrawls = procedure({
  name: 'proc_MSS_CrawlStoreToJoinAllOngoingCrawls',
  section: 'MS-SQLPGAT2 3.1.5.9',
  summary: 'A crawl store and its components join every ongoing crawl that the store is not part of.',
  access: 'write',
  params: { GthrDBID: nullable(int, 'The ordinal of the crawl store.') },
  outcomes: done,
  async handle({ db, now }, { GthrDBID }) {
    if (GthrDBID === null) return { outcome: 'done' };
    const joined = sql`
      select crawl_id from crawls where ${isOngoing}
        and exists (select 1 from crawl_stores where ordinal = ${GthrDBID})
        and crawl_id not in (select crawl_id from crawl_store_status where crawl_store = ${GthrDBID})`;
    await db.run(sql`
      insert into crawl_component_status (crawl_id, component_id)
      select j.crawl_id, c.number from (${joined}) j cross join crawl_components c
      where c.crawl_store = ${GthrDBID} and ${isUsable}
      on conflict (crawl_id, component_id) do nothing`);
    await db.run(sql`
      insert into crawl_store_status (crawl_id, crawl_store, join_time)
      select j.crawl_id, ${GthrDBID}, ${now} from (${joined}) j`);
    return { outcome: 'done' };
  },
});
