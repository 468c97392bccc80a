import { ruleBroken } from '../../../../base/messages/sql-error.ts';
import { procedure } from '../../../../procedure/declare.ts';
import { optionalOutput, required } from '../../../../procedure/param.ts';
import { bit, int, nvarchar } from '../../../../tds/types/index.ts';
import { done } from '../../outcomes.ts';
import { isFoundation } from '../../stage.ts';
import { crawlStores, propertyStores } from '../stores.ts';
import { addCrawlStore, addPropertyStore, oneOfEach } from '../topology.ts';

export const addStore = procedure({
  name: 'AddStore',
  schema: 'granary',
  section: 'Granary',
  summary: 'Adds a database to the crawl stores or to the property stores; the database must already exist.',
  access: 'serial',
  reservedFor: 'databaseAdmin',
  params: {
    Name: required(nvarchar(256), 'The name of the database.'),
    IsCrawlStore: required(bit, 'Whether it is a crawl store; else it is a property store.'),
    Ordinal: optionalOutput(int, 'The ordinal of a crawl store.'),
  },
  outcomes: done,
  async handle(call, { Name, IsCrawlStore }) {
    const { db } = call;
    const stores = await (IsCrawlStore ? crawlStores(db) : propertyStores(db));
    if (isFoundation(call) && stores.length > 0) throw ruleBroken(oneOfEach);
    if (stores.some(({ name }) => name.toLowerCase() === Name.toLowerCase())) {
      throw ruleBroken(`The database ${Name} is already a ${IsCrawlStore ? 'crawl' : 'property'} store.`);
    }
    if (IsCrawlStore) return { outcome: 'done', output: { Ordinal: await addCrawlStore(db, Name) } };
    await addPropertyStore(db, Name);
    return { outcome: 'done' };
  },
});
