import type { Database } from '../../engine/db.ts';
import type { Engine } from '../../engine/engine.ts';
import { disableLocally } from '../../protocols/search/gather/stages/component.ts';
import { componentState, isDisabled } from '../../protocols/search/topology/component-state.ts';
import {
  addQueryComponent,
  crawlComponents,
  queryComponents,
  setCrawlComponentState,
  setQueryComponentOffline,
} from '../../protocols/search/topology/components.ts';
import { crawlStores } from '../../protocols/search/topology/stores.ts';
import { addCrawlComponent } from '../../protocols/search/topology/topology.ts';
import { columns } from '../columns.ts';
import type { Command, CommandFlag, Invocation } from '../command.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { database, withAdmin } from './admin-database.ts';

const type: CommandFlag = { placeholder: 'crawl|query', help: 'What kind of component; crawl unless given.' };

/** The states by the names that operators give them. */
const states: ReadonlyMap<string, number> = new Map([
  ['ready', componentState.ready],
  ['disabled', componentState.disabled],
  ['remount', componentState.remount],
  ['inactive', componentState.inactive],
  ['disabled-for-removal', componentState.disabledForRemoval],
]);
const nameOf = (state: number): string => [...states].find(([, value]) => value === state)?.[0] ?? String(state);
const offline: ReadonlyMap<string, boolean> = new Map([
  ['online', false],
  ['offline', true],
]);

const add: Command = {
  name: 'search component add',
  args: [],
  summary: 'Adds a crawl component for a crawl store, or a query component.',
  flags: { type, store: { placeholder: 'NUMBER', help: 'The crawl store; the first unless given.' }, database },
  settings: ['all'],
  async run(invocation) {
    const isQuery = isQueryComponent(invocation);
    const store = numberOf(invocation.flags.get('store') ?? '0', '--store');
    const number = await withAdmin(invocation, (admin) =>
      admin.write(
        async (db) => {
          if (isQuery) return addQueryComponent(db);
          const stores = await crawlStores(db);
          if (!stores.some(({ ordinal }) => ordinal === store)) {
            throw new OperatorError(`There is no crawl store ${store}.`);
          }
          return addCrawlComponent(db, store);
        },
        { serial: true },
      ),
    );
    const what = isQuery
      ? `Query component ${number} added`
      : `Crawl component ${number} added for crawl store ${store}`;
    invocation.world.stdout.write(`${what}.\n`);
  },
};

const list: Command = {
  name: 'search component list',
  args: [],
  summary: 'Lists the crawl and query components.',
  flags: { database },
  settings: ['all'],
  async run(invocation) {
    const rows = await withAdmin(invocation, (admin) =>
      admin.read(async (db) => [
        ...(await crawlComponents(db)).map(({ number, store, state, isMaster, reported }) => [
          'crawl',
          String(number),
          nameOf(state),
          String(store),
          isMaster ? 'yes' : 'no',
          reported?.toISOString() ?? 'never',
        ]),
        ...(await queryComponents(db)).map(({ number, isOffline }) => [
          'query',
          String(number),
          isOffline ? 'offline' : 'online',
        ]),
      ]),
    );
    invocation.world.stdout.write(columns(['type', 'number', 'state', 'store', 'master', 'reported'], rows));
  },
};

const state: Command = {
  name: 'search component state',
  args: ['NUMBER', 'STATE'],
  summary: 'Sets the state of a component.',
  details: [
    `A crawl component is ${[...states.keys()].join(', ')}; a query component is ${[...offline.keys()].join(' or ')}.`,
    'A crawl component that is disabled leaves its crawls, and its items go back to the queue.',
  ],
  flags: { type, database },
  settings: ['all'],
  async run(invocation) {
    const [given = '', wanted = ''] = invocation.args;
    const number = numberOf(given, 'The number of a component');
    const isQuery = isQueryComponent(invocation);
    const isOffline = offline.get(wanted);
    const state = states.get(wanted);
    if ((isQuery ? isOffline : state) === undefined) {
      const known = [...(isQuery ? offline : states).keys()].join(', ');
      throw new UsageError(`There is no state '${wanted}'; there is ${known}.`);
    }
    await withAdmin(invocation, async (admin, { engine }) => {
      await admin.write((db) =>
        isQuery
          ? setQueryComponentOffline(db, number, isOffline === true)
          : setCrawlComponentState(db, number, state ?? componentState.inactive),
      );
      if (!isQuery && isDisabled(state)) await disableInStore(admin, engine, number);
    });
    invocation.world.stdout.write(`${isQuery ? 'Query' : 'Crawl'} component ${number} is ${wanted}.\n`);
  },
};

/** Gives the items of a disabled component back to the queue of its crawl store. */
async function disableInStore(admin: Database, engine: Engine, number: number): Promise<void> {
  const { components, stores } = await admin.read(async (db) => ({
    components: await crawlComponents(db),
    stores: await crawlStores(db),
  }));
  const ordinal = components.find((component) => component.number === number)?.store;
  const name = stores.find((store) => store.ordinal === ordinal)?.name;
  const store = name === undefined ? undefined : await engine.open(name);
  await store?.write((db) => disableLocally(db, number));
}

function isQueryComponent({ flags }: Invocation): boolean {
  const given = flags.get('type') ?? 'crawl';
  if (given !== 'crawl' && given !== 'query')
    throw new UsageError(`There is no type '${given}'; there is crawl, query.`);
  return given === 'query';
}

function numberOf(text: string, what: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${what} is a whole number, not '${text}'.`);
  return Number(text);
}

/** What is done with search components. */
export const componentCommands: readonly Command[] = [add, list, state];
