import { type Sql, sql } from '../../../../engine/sql.ts';
import type { Call } from '../../../../procedure/call.ts';

/** Components that can take part in a crawl: neither Disabled nor Inactive nor DisabledForRemove (2.2.1.12). */
export const isUsable: Sql = sql`c.state not in (3, 5, 6)`;

/**
 * Lets the usable components of a store join the store's crawls, or the given ones; components that have joined are
 * unchanged.
 */
export async function joinComponents({ db }: Call, crawlStore: number, crawls: Sql = sql``): Promise<void> {
  await db.run(sql`
    insert into crawl_component_status (crawl_id, component_id)
    select s.crawl_id, c.number from crawl_store_status s
    join crawl_components c on c.crawl_store = s.crawl_store
    where s.crawl_store = ${crawlStore} and ${isUsable} ${crawls}
    on conflict (crawl_id, component_id) do nothing`);
}
