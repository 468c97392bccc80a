import { sql } from '../../../../engine/sql.ts';
import { stage } from '../../stage.ts';
import { subStatus } from '../crawl-status.ts';
import { changeCrawl } from './change-crawl.ts';

/** 144. */
export const deleteUnvisited = stage({
  summary: 'Starts the deletion of unvisited documents; all components count as busy.',
  access: 'write',
  heeds: ['CrawlID'],
  async run(call, { CrawlID }) {
    await call.db.run(sql`update crawl_component_status set idle_since = null where crawl_id = ${CrawlID}`);
    await changeCrawl(call, CrawlID, sql`sub_status = ${subStatus.started.deleteUnvisited}`);
  },
});
