import { type Sql, sql } from '../../../engine/sql.ts';

/** True if a store takes part in a crawl and none of its components does: nobody visits its documents. */
export const hasLoneStore = (crawl: Sql): Sql => sql`exists (
  select 1 from crawl_store_status t
  where t.crawl_id = ${crawl} and not exists (
    select 1 from crawl_components k
    join crawl_component_status p on p.component_id = k.number and p.crawl_id = t.crawl_id
    where k.crawl_store = t.crawl_store))`;
