import type { Client } from '../../client/client.ts';
import { orNull } from '../../procedure/declare.ts';
import { componentState, isDisabled } from '../../protocols/search/topology/component-state.ts';
import { addComponent } from '../../protocols/search/topology/extensions/add-component.ts';
import { setComponentState } from '../../protocols/search/topology/extensions/set-component-state.ts';
import { bit, datetime, int } from '../../tds/types/index.ts';
import { Farm } from '../../workers/crawl/store/farm.ts';
import { storeStage } from '../../workers/crawl/store/stages.ts';
import { columns } from '../columns.ts';
import type { Command, CommandFlag, Invocation } from '../command.ts';
import { UsageError } from '../errors.ts';
import { answer, json } from '../json-flag.ts';
import { placeFlags, withClient } from '../place.ts';

const type: CommandFlag = { placeholder: 'crawl|query', help: 'The type of component. Default: crawl.' };

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
  flags: {
    type,
    store: { placeholder: 'NUMBER', help: 'The crawl store. Default: the first.' },
    json,
    ...placeFlags,
  },
  settings: ['all'],
  async run(invocation) {
    const isQuery = isQueryComponent(invocation);
    const store = numberOf(invocation.flags.get('store') ?? '0', '--store');
    const asked = isQuery ? {} : { Store: store };
    const { output } = await withClient(invocation, (admin) => admin.call(addComponent, asked));
    const number = output.Number;
    const what = isQuery
      ? `Query component ${number} added`
      : `Crawl component ${number} added for crawl store ${store}`;
    await answer(invocation, isQuery ? { type: 'query', number } : { type: 'crawl', number, store }, () => `${what}.`);
  },
};

const crawlComponents = (admin: Client) =>
  admin.select(
    { number: int, store: int, state: int, isMaster: bit, reported: orNull(datetime) },
    `select CrawlComponentNumber as number, CrawlStoreOrdinal as store, State as state, Master as isMaster,
       ReportTime as reported
     from CrawlComponents order by CrawlComponentNumber`,
  );

const queryComponents = (admin: Client) =>
  admin.select(
    { number: int, isOffline: bit },
    'select QueryComponentNumber as number, IsOffline as isOffline from QueryComponents order by QueryComponentNumber',
  );

const list: Command = {
  name: 'search component list',
  args: [],
  summary: 'Lists the crawl and query components.',
  flags: { json, ...placeFlags },
  settings: ['all'],
  async run(invocation) {
    const components = await withClient(invocation, async (admin) => ({
      crawl: (await crawlComponents(admin)).map((component) => ({ ...component, state: nameOf(component.state) })),
      query: (await queryComponents(admin)).map(({ number, isOffline }) => ({
        number,
        state: isOffline ? 'offline' : 'online',
      })),
    }));
    await answer(invocation, components, () => {
      const rows = [
        ...components.crawl.map(({ number, store, state, isMaster, reported }) => [
          'crawl',
          String(number),
          state,
          String(store),
          isMaster ? 'yes' : 'no',
          reported?.toISOString() ?? 'never',
        ]),
        ...components.query.map(({ number, state }) => ['query', String(number), state]),
      ];
      return columns(['type', 'number', 'state', 'store', 'master', 'reported'], rows).trimEnd();
    });
  },
};

const state: Command = {
  name: 'search component state',
  args: ['NUMBER', 'STATE'],
  summary: 'Sets the state of a component.',
  details: [
    `A crawl component can be ${[...states.keys()].join(', ')}; a query component ${[...offline.keys()].join(' or ')}.`,
    'A disabled crawl component leaves its crawls, and its items go back to the queue.',
  ],
  flags: { type, json, ...placeFlags },
  settings: ['all'],
  async run(invocation) {
    const [given = '', wanted = ''] = invocation.args;
    const number = numberOf(given, 'The number of a component');
    const isQuery = isQueryComponent(invocation);
    const isOffline = offline.get(wanted);
    const state = states.get(wanted);
    if ((isQuery ? isOffline : state) === undefined) {
      const known = [...(isQuery ? offline : states).keys()].join(', ');
      throw new UsageError(`There is no state '${wanted}'. The states are ${known}.`);
    }
    await withClient(invocation, async (admin) => {
      const asked = isQuery ? { Offline: isOffline === true } : { State: state ?? componentState.inactive };
      await admin.call(setComponentState, { Number: number, ...asked });
      if (!isQuery && isDisabled(state)) await disableInStore(admin, number);
    });
    await answer(
      invocation,
      { type: isQuery ? 'query' : 'crawl', number, state: wanted },
      () => `${isQuery ? 'Query' : 'Crawl'} component ${number} is ${wanted}.`,
    );
  },
};

/** Gives the items of a disabled component back to the queue of its crawl store. */
async function disableInStore(admin: Client, number: number): Promise<void> {
  const ordinal = (await crawlComponents(admin)).find((component) => component.number === number)?.store;
  const store = (await Farm.of(admin)).stores.find((one) => one.ordinal === ordinal);
  if (store !== undefined) await storeStage(store.client, 163, { MiscInputData: number });
}

function isQueryComponent({ flags }: Invocation): boolean {
  const given = flags.get('type') ?? 'crawl';
  if (given !== 'crawl' && given !== 'query')
    throw new UsageError(`There is no type '${given}'. The types are crawl, query.`);
  return given === 'query';
}

function numberOf(text: string, what: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${what} must be a whole number, not '${text}'.`);
  return Number(text);
}

/** What is done with search components. */
export const componentCommands: readonly Command[] = [add, list, state];
