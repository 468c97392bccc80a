import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { int } from '../../../tds/types/index.ts';
import { addCrawlComponent, addCrawlStore, addPropertyStore } from './topology.ts';

/** The names of the databases that hold a farm's first crawl store and property store. */
export interface FirstStores {
  readonly crawl: string;
  readonly property: string;
}

/** One crawl store with one component, and one property store. */
export async function firstTopology(db: Db, stores: FirstStores): Promise<void> {
  if (await db.first({ there: int }, sql`select 1 as "there" from crawl_stores limit 1`)) return;
  await addCrawlComponent(db, await addCrawlStore(db, stores.crawl));
  await addPropertyStore(db, stores.property);
}
