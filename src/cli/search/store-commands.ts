import { searchCrawl } from '../../protocols/search/kinds/search-crawl.ts';
import { searchProperty } from '../../protocols/search/kinds/search-property.ts';
import { crawlStores, propertyStores } from '../../protocols/search/topology/stores.ts';
import { addCrawlStore, addPropertyStore, mostCrawlStores } from '../../protocols/search/topology/topology.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { database, withAdmin } from './admin-database.ts';

const types = new Map([
  ['crawl', searchCrawl.name],
  ['property', searchProperty.name],
]);

const add: Command = {
  name: 'search store add',
  args: ['NAME'],
  summary: 'Adds a crawl store or a property store, and makes its database unless it is there.',
  flags: {
    type: { placeholder: 'crawl|property', help: 'What kind of store; crawl unless given.' },
    database,
  },
  settings: ['all'],
  async run(invocation) {
    const [name = ''] = invocation.args;
    const type = invocation.flags.get('type') ?? 'crawl';
    const kind = types.get(type);
    if (kind === undefined)
      throw new UsageError(`There is no type '${type}'; there is ${[...types.keys()].join(', ')}.`);
    const added = await withAdmin(invocation, async (admin, { engine }) => {
      const existing = await engine.open(name);
      if (existing !== undefined && existing.kind !== kind) {
        throw new OperatorError(`The database ${existing.name} is of kind ${existing.kind}, not ${kind}.`);
      }
      const stores = await admin.read((db) => (type === 'crawl' ? crawlStores(db) : propertyStores(db)));
      if (stores.some((store) => store.name.toLowerCase() === name.toLowerCase())) {
        throw new OperatorError(`The database ${name} is a ${type} store already.`);
      }
      if (type === 'crawl' && stores.length >= mostCrawlStores) {
        throw new OperatorError(`A farm has at most ${mostCrawlStores} crawl stores.`);
      }
      const made = existing ?? (await engine.create(name, kind));
      return admin.write(
        async (db) => (type === 'crawl' ? addCrawlStore(db, made.name) : void (await addPropertyStore(db, made.name))),
        { serial: true },
      );
    });
    const number = added === undefined ? '' : ` ${added}`;
    invocation.world.stdout.write(`${type === 'crawl' ? 'Crawl' : 'Property'} store${number} added: ${name}.\n`);
  },
};

const list: Command = {
  name: 'search store list',
  args: [],
  summary: 'Lists the crawl stores and property stores.',
  flags: { database },
  settings: ['all'],
  async run(invocation) {
    const rows = await withAdmin(invocation, (admin) =>
      admin.read(async (db) => [
        ...(await crawlStores(db)).map(({ ordinal, name, id, documents }) => [
          'crawl',
          String(ordinal),
          name,
          id,
          String(documents),
        ]),
        ...(await propertyStores(db)).map(({ name, id }) => ['property', '', name, id]),
      ]),
    );
    invocation.world.stdout.write(columns(['type', 'number', 'database', 'id', 'documents'], rows));
  },
};

/** What is done with stores. */
export const storeCommands: readonly Command[] = [add, list];
