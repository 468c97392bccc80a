import type { Client } from '../../client/client.ts';
import { orNull } from '../../procedure/declare.ts';
import { search } from '../../protocols/search/kinds/search.ts';
import { searchCrawl } from '../../protocols/search/kinds/search-crawl.ts';
import { searchProperty } from '../../protocols/search/kinds/search-property.ts';
import { addStore } from '../../protocols/search/topology/extensions/add-store.ts';
import { mostCrawlStores, oneOfEach } from '../../protocols/search/topology/topology.ts';
import { int, nvarchar } from '../../tds/types/index.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { answer, json } from '../json-flag.ts';
import { placeFlags, withClient } from '../place.ts';

const types = new Map([
  ['crawl', searchCrawl.name],
  ['property', searchProperty.name],
]);

const add: Command = {
  name: 'search store add',
  args: ['NAME'],
  summary: 'Adds a crawl store or a property store, and creates its database if needed.',
  flags: {
    type: { placeholder: 'crawl|property', help: 'The type of store. Default: crawl.' },
    json,
    ...placeFlags,
  },
  settings: ['all'],
  async run(invocation) {
    const [wanted = ''] = invocation.args;
    const type = invocation.flags.get('type') ?? 'crawl';
    const kind = types.get(type);
    if (kind === undefined)
      throw new UsageError(`There is no type '${type}'. The types are ${[...types.keys()].join(', ')}.`);
    const { name, number } = await withClient(invocation, async (admin) => {
      const database = await databaseOf(admin, wanted, type, kind);
      const { output } = await admin.call(addStore, { Name: database, IsCrawlStore: type === 'crawl' });
      return { name: database, number: output.Ordinal ?? undefined };
    });
    await answer(
      invocation,
      { type, name, ...(number !== undefined && { number }) },
      () =>
        `${type === 'crawl' ? 'Crawl' : 'Property'} store${number === undefined ? '' : ` ${number}`} added: ${name}.`,
    );
  },
};

const crawlStores = (admin: Client) =>
  admin.select(
    { ordinal: int, name: nvarchar(256), id: nvarchar(40), documents: int },
    'select Ordinal as ordinal, Name as name, ID as id, DocCount as documents from CrawlStores order by Ordinal',
  );

const propertyStores = (admin: Client) =>
  admin.select(
    { name: nvarchar(256), id: nvarchar(40) },
    'select Name as name, ID as id from PropertyStores order by Name',
  );

/**
 * Ensures that the database of a store exists, and is of the right kind; creates none that could not be used. Returns
 * its exact name, under which it can be opened: T-SQL also finds it by names that differ in case or in trailing blanks.
 */
async function databaseOf(admin: Client, wanted: string, type: string, kind: string): Promise<string> {
  const [found] = await admin.select(
    { own: orNull(nvarchar(128)), kind: orNull(nvarchar(128)), farm: orNull(nvarchar(128)) },
    `select db_name(db_id(@wanted)) as own, cast(databasepropertyex(@wanted, 'GranaryKind') as nvarchar(128)) as kind,
      cast(databasepropertyex(db_name(), 'GranaryKind') as nvarchar(128)) as farm`,
    { wanted },
  );
  const name = found?.own ?? wanted;
  const isThere = found !== undefined && found.kind !== null;
  if (isThere && found.kind !== kind) {
    throw new OperatorError(`The database ${name} is of kind ${found.kind}, not ${kind}.`);
  }
  const stores = await (type === 'crawl' ? crawlStores(admin) : propertyStores(admin));
  if (stores.some((store) => store.name.toLowerCase() === name.toLowerCase())) return name;
  if (found?.farm === search.name && stores.length > 0) throw new OperatorError(oneOfEach);
  if (type === 'crawl' && stores.length >= mostCrawlStores) {
    throw new OperatorError(`A farm can have at most ${mostCrawlStores} crawl stores.`);
  }
  if (!isThere) await admin.query('exec sp_create_database @name, @kind', { name, kind });
  return name;
}

const list: Command = {
  name: 'search store list',
  args: [],
  summary: 'Lists the crawl stores and property stores.',
  flags: { json, ...placeFlags },
  settings: ['all'],
  async run(invocation) {
    const stores = await withClient(invocation, async (admin) => ({
      crawl: await crawlStores(admin),
      property: await propertyStores(admin),
    }));
    await answer(invocation, stores, () => {
      const rows = [
        ...stores.crawl.map(({ ordinal, name, id, documents }) => [
          'crawl',
          String(ordinal),
          name,
          id,
          String(documents),
        ]),
        ...stores.property.map(({ name, id }) => ['property', '', name, id]),
      ];
      return columns(['type', 'number', 'database', 'id', 'documents'], rows).trimEnd();
    });
  },
};

/** What is done with stores. */
export const storeCommands: readonly Command[] = [add, list];
