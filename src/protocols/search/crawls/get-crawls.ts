import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { bit, int } from '../../../tds/types/index.ts';

const crawl = {
  CrawlID: int,
  CrawlType: int,
  Status: int,
  SubStatus: int,
  Request: int,
  ContentSourceID: int,
  MainCrawlID: int,
};

/** What a component has to act on, in the numbers of 2.2.1.4 to 2.2.1.8; `s` is its own status in the crawl. */
const isForComponent = sql`(
  c.status in (4, 9)
  or c.status = 1 and c.sub_status = 2
  or c.status = 8 and s.status <> 9
  or c.status = 7 and s.status <> 4
  or c.status = 13 and c.sub_status = 1 and s.status <> 12
  or c.status = 14 and c.sub_status = 1 and s.status <> 11)`;

export const getCrawls = procedure({
  name: 'proc_MSS_GetCrawls',
  section: 'MS-SQLPGAT2 3.1.5.25',
  summary: 'Lists the crawls that the master, or a component, has to act on; none while a reset is requested.',
  access: 'read',
  params: {
    ComponentID: nullable(int, 'The component; the master need not say.'),
    CatalogID: nullable(int, 'The project (2.2.1.1).'),
    MasterRole: nullable(bit, 'True for the master.'),
  },
  outcomes: { done: { code: 0, meaning: 'Completed.', sets: { crawls: crawl } } },
  handle({ db }, { ComponentID, CatalogID, MasterRole }) {
    const its = MasterRole
      ? sql``
      : sql`join crawl_component_status s on s.crawl_id = c.crawl_id and s.component_id = ${ComponentID}
          and ${isForComponent}`;
    const crawls = db.rows(
      crawl,
      sql`
        select c.crawl_id as "CrawlID", c.crawl_type as "CrawlType", c.status as "Status", c.sub_status as "SubStatus",
          c.request as "Request", c.content_source_id as "ContentSourceID", c.main_crawl_id as "MainCrawlID"
        from crawls c ${its}
        where c.project_id = ${CatalogID} and c.status not in (5, 11, 12)
          and not exists (select 1 from component_activity where have_reset_request = 1)
        order by c.crawl_id`,
    );
    return { outcome: 'done', sets: { crawls } };
  },
});
