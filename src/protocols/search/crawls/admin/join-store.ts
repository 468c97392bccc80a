import { sql } from '../../../../engine/sql.ts';
import { stage } from '../../stage.ts';
import { joinComponents } from './joining.ts';

/** 108. */
export const joinStore = stage({
  summary: 'A crawl store and its components join a crawl.',
  access: 'write',
  heeds: ['MiscInputData', 'CrawlID'],
  names: ['MiscInputData'],
  async run(call, { MiscInputData: crawlStore, CrawlID }) {
    await call.db.run(sql`
      insert into crawl_store_status (crawl_id, crawl_store, join_time)
      select c.crawl_id, s.ordinal, ${call.now} from crawls c cross join crawl_stores s
      where c.crawl_id = ${CrawlID} and s.ordinal = ${crawlStore}
      on conflict (crawl_id, crawl_store) do nothing`);
    await joinComponents(call, crawlStore, sql`and s.crawl_id = ${CrawlID}`);
  },
});
