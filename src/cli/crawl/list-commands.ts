import type { Client } from '../../client/client.ts';
import { Administration } from '../../workers/crawl/administration.ts';
import { failuresOf, isOver, type Progress, progressOf } from '../../workers/crawl/progress.ts';
import { columns } from '../columns.ts';
import type { Command, Invocation } from '../command.ts';
import { UsageError } from '../errors.ts';
import { placeFlags, withClient } from '../place.ts';
import { ongoingCrawl, sourceNamed } from './source.ts';
import { json } from './start-command.ts';

const count = { placeholder: 'NUMBER', help: 'How many, at most; 50 unless given.' };
const source = { placeholder: 'NAME', help: 'Only of this content source.' };

export const status: Command = {
  name: 'crawl status',
  args: [],
  summary: 'Shows each crawl that goes on: what it has done, what is left, who is awaited since when.',
  flags: { json, ...placeFlags },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const crawls = (await progressOf(admin, '1 = 1')).filter((crawl) => !isOver(crawl.status));
      print(invocation, await withNames(admin, crawls), [
        ['crawl', ({ crawl }) => crawl],
        ['source', ({ name }) => name],
        ['type', ({ type, project }) => (project === 'Anchors' ? project : type)],
        ['stands', ({ stands }) => stands],
        ['since', ({ since }) => since],
        ['waits for', ({ waitsFor }) => waitsFor],
        ['components', ({ components }) => components],
        ['crawled', ({ crawled }) => crawled],
        ['queued', ({ queued }) => queued],
        ['errors', ({ errors }) => errors],
      ]);
    }),
};

export const log: Command = {
  name: 'crawl log',
  args: [],
  summary: 'Lists the crawls that there were, the last first.',
  flags: { source, count, json, ...placeFlags },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const most = numberOf(invocation);
      const wanted = invocation.flags.get('source');
      const id = wanted === undefined ? undefined : (await sourceNamed(admin, wanted)).id;
      const crawls = await progressOf(admin, id === undefined ? '1 = 1' : `ContentSourceID = ${id}`);
      print(invocation, await withNames(admin, crawls.slice(0, most)), [
        ['crawl', ({ crawl }) => crawl],
        ['source', ({ name }) => name],
        ['type', ({ type, project }) => (project === 'Anchors' ? project : type)],
        ['stands', ({ stands }) => stands],
        ['started', ({ started }) => started],
        ['ended', ({ ended }) => ended],
        ['crawled', ({ crawled }) => crawled],
        ['not modified', ({ notModified }) => notModified],
        ['errors', ({ errors }) => errors],
        ['deleted', ({ deleted }) => deleted],
      ]);
    }),
};

export const errors: Command = {
  name: 'crawl errors',
  args: ['SOURCE'],
  summary: 'Lists the documents of a content source that could not be crawled, and why.',
  flags: { count, json, ...placeFlags },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const { id } = await sourceNamed(admin, invocation.args[0] ?? '');
      const failures = await failuresOf(admin, id, numberOf(invocation));
      // The names that --json has had from the first.
      const shown = failures.map(({ url, description, times, since, cause }) => ({
        Url: url,
        Description: description,
        Times: times,
        Since: since,
        Cause: cause,
      }));
      print(invocation, shown, [
        ['cause', ({ Cause }) => Cause],
        ['times', ({ Times }) => Times],
        ['since', ({ Since }) => Since],
        ['url', ({ Url }) => Url],
        ['description', ({ Description }) => Description],
      ]);
    }),
};

/** A command that asks something of the crawl of a source and does not wait for it. */
const asking = (verb: 'stop' | 'pause', summary: string): Command => ({
  name: `crawl ${verb}`,
  args: ['SOURCE'],
  summary,
  flags: { json, ...placeFlags },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const { id, name } = await sourceNamed(admin, invocation.args[0] ?? '');
      await ongoingCrawl(admin, { id, name });
      await new Administration(admin)[verb](id);
      const text = invocation.flags.has('json')
        ? JSON.stringify({ source: id, asked: verb })
        : `Crawls of ${name}: asked to ${verb}.`;
      invocation.world.stdout.write(`${text}\n`);
    }),
});

export const stop = asking('stop', 'Ends the crawl of a content source: what is not crawled yet is left.');
export const pause = asking('pause', 'Lets the crawl of a content source rest until it is resumed.');

type Column<Row> = readonly [heading: string, value: (row: Row) => unknown];

/** Prints rows in columns, or all that is known of them as JSON. */
function print<Row>({ flags, world }: Invocation, rows: readonly Row[], shown: readonly Column<Row>[]): void {
  if (flags.has('json')) world.stdout.write(`${JSON.stringify(rows)}\n`);
  else if (rows.length === 0) world.stdout.write('There is nothing to show.\n');
  else {
    const heading = shown.map(([name]) => name);
    world.stdout.write(
      columns(
        heading,
        rows.map((row) => shown.map(([, value]) => asText(value(row)))),
      ),
    );
  }
}

const asText = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  return value === null || value === undefined ? '' : String(value);
};

async function withNames(admin: Client, crawls: readonly Progress[]): Promise<(Progress & { name: string })[]> {
  const sources = await new Administration(admin).sources();
  const nameOf = (id: number) => sources.find((one) => one.id === id)?.name ?? String(id);
  return crawls.map((crawl) => ({ ...crawl, name: nameOf(crawl.source) }));
}

function numberOf({ flags }: Invocation, usual = '50'): number {
  const given = flags.get('count') ?? usual;
  if (!/^\d{1,6}$/.test(given)) throw new UsageError(`--count is a whole number, not '${given}'.`);
  return Number(given);
}
