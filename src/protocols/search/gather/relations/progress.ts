import { sql } from '../../../../engine/sql.ts';
import { type Relation, relation, stored } from '../../../../procedure/relations/relation.ts';
import { int } from '../../../../tds/types/index.ts';

const left = sql`(
  select crawl_id, count(case when what = 1 then 1 end) as free, count(case when what = 2 then 1 end) as taken,
    count(case when what = 3 then 1 end) as links, count(case when what = 4 then 1 end) as colleagues
  from (
    select crawl_id, 1 as what from crawl_queue where batch_id = 0
    union all select crawl_id, 2 from crawl_queue where batch_id <> 0
    union all select crawl_id, 3 from crawl_links
    union all select crawl_id, 4 from colleague_links) each
  group by crawl_id) w`;

/** What is left to do for each crawl in this store: for people, and for `granary search status`. */
export const crawlWork: Relation = relation({
  name: 'CrawlWork',
  type: 'view',
  from: left,
  primaryKey: ['CrawlID'],
  columns: {
    CrawlID: stored(int, 'w.crawl_id'),
    FreeItems: stored(int, 'w.free'),
    ItemsInBatches: stored(int, 'w.taken'),
    Links: stored(int, 'w.links'),
    ColleagueLinks: stored(int, 'w.colleagues'),
  },
});

/** How many documents each crawl has deleted in this store, until its anchor crawl is over: the master counts by it. */
export const crawlDeletions: Relation = relation({
  name: 'CrawlDeletions',
  type: 'view',
  from: sql`(select crawl_id, cast(sum(times) as bigint) as documents from changed_deleted group by crawl_id) d`,
  primaryKey: ['CrawlID'],
  columns: { CrawlID: stored(int, 'd.crawl_id'), Documents: stored(int, 'd.documents') },
});
