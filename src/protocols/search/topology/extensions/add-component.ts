import { ruleBroken } from '../../../../base/messages/sql-error.ts';
import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { procedure } from '../../../../procedure/declare.ts';
import { optional, optionalOutput } from '../../../../procedure/param.ts';
import { int } from '../../../../tds/types/index.ts';
import { done } from '../../outcomes.ts';
import { isFoundation } from '../../stage.ts';
import { addQueryComponent } from '../components.ts';
import { crawlStores } from '../stores.ts';
import { addCrawlComponent, oneOfEach } from '../topology.ts';

export const addComponent = procedure({
  name: 'AddComponent',
  schema: 'granary',
  section: 'Granary',
  summary: 'Adds a crawl component for a crawl store, or a query component.',
  access: 'serial',
  reservedFor: 'databaseAdmin',
  params: {
    Store: optional(int, null, 'The crawl store that it works for; NULL for a query component.'),
    Number: optionalOutput(int, 'The number of the component.'),
  },
  outcomes: done,
  async handle(call, { Store }) {
    const { db } = call;
    if (isFoundation(call) && (await hasComponent(db))) throw ruleBroken(oneOfEach);
    if (Store === null) return { outcome: 'done', output: { Number: await addQueryComponent(db) } };
    const stores = await crawlStores(db);
    if (!stores.some(({ ordinal }) => ordinal === Store)) throw ruleBroken(`There is no crawl store ${Store}.`);
    return { outcome: 'done', output: { Number: await addCrawlComponent(db, Store) } };
  },
});

const hasComponent = async (db: Db): Promise<boolean> =>
  (await db.first({ found: int }, sql`select 1 as "found" from crawl_components limit 1`)) !== undefined;
