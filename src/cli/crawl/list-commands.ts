import type { Client } from '../../client/client.ts';
import { crawlStatus } from '../../protocols/search/crawls/crawl-status.ts';
import { Administration } from '../../workers/crawl/administration.ts';
import { failuresOf, isOver, type Progress, progressOf } from '../../workers/crawl/progress.ts';
import { standsOf } from '../../workers/crawl/under-way.ts';
import { columns } from '../columns.ts';
import type { Command, Invocation } from '../command.ts';
import { UsageError } from '../errors.ts';
import { json } from '../json-flag.ts';
import { placeFlags, withClient } from '../place.ts';
import { sourceNamed } from './source.ts';
import { waitOf, whoWorks } from './words.ts';

const count = { placeholder: 'NUMBER', help: 'The maximum number of entries. Default: 50.' };
const cause = { placeholder: 'CAUSE', help: 'Only documents with this cause, as the list names it.' };
const source = { placeholder: 'NAME', help: 'Only this content source, as SOURCE.' };

export const status: Command = {
  name: 'crawl status',
  args: [],
  optional: 'SOURCE',
  summary: 'Shows each running crawl: what is done, what is left, what it is waiting for and since when.',
  flags: { json, ...placeFlags },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const crawls = (await crawlsOf(admin, invocation.args[0])).filter((crawl) => !isOver(crawl.status));
      print(invocation, await withNames(admin, crawls), [
        ['crawl', ({ crawl }) => crawl],
        ['source', ({ name }) => name],
        ['type', ({ type, project }) => (project === 'Anchors' ? project : type)],
        ['stands', standsOf],
        ['since', ({ since }) => since],
        ['waits for', waitOf],
        ['components', ({ components }) => components],
        ['crawled', ({ crawled }) => crawled],
        ['queued', ({ queued }) => queued],
        ['errors', ({ errors }) => errors],
      ]);
      const waits = crawls.some(({ status }) => status !== crawlStatus.paused);
      if (waits && !invocation.flags.has('json')) invocation.world.stdout.write(lineOf(await whoWorks(admin)));
    }),
};

export const log: Command = {
  name: 'crawl log',
  args: [],
  optional: 'SOURCE',
  summary: 'Lists past crawls, newest first.',
  flags: { source, count, json, ...placeFlags },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const most = numberOf(invocation);
      const crawls = await crawlsOf(admin, invocation.args[0] ?? invocation.flags.get('source'));
      print(invocation, await withNames(admin, crawls.slice(0, most)), [
        ['crawl', ({ crawl }) => crawl],
        ['source', ({ name }) => name],
        ['type', ({ type, project }) => (project === 'Anchors' ? project : type)],
        ['stands', ({ stands }) => stands],
        ['started', ({ started }) => started],
        ['ended', ({ ended }) => ended],
        ['crawled', ({ crawled }) => crawled],
        ['not modified', ({ notModified }) => notModified],
        ['warnings', ({ warnings }) => warnings],
        ['errors', ({ errors }) => errors],
        ['deleted', ({ deleted }) => deleted],
      ]);
    }),
};

export const errors: Command = {
  name: 'crawl errors',
  args: ['SOURCE'],
  summary: 'Lists the documents of a content source that could not be crawled, or only in part, and why.',
  flags: { cause, count, json, ...placeFlags },
  settings: ['all'],
  run: (invocation) =>
    withClient(invocation, async (admin) => {
      const { id } = await sourceNamed(admin, invocation.args[0] ?? '');
      const failures = await failuresOf(admin, id, numberOf(invocation), { cause: invocation.flags.get('cause') });
      // The names that --json has had from the first.
      const shown = failures.map(({ url, isWarning, description, times, since, cause }) => ({
        Url: url,
        Description: description,
        Times: times,
        Since: since,
        Cause: cause,
        Level: isWarning ? 'warning' : 'error',
      }));
      print(invocation, shown, [
        ['level', ({ Level }) => Level],
        ['cause', ({ Cause }) => Cause],
        ['times', ({ Times }) => Times],
        ['since', ({ Since }) => Since],
        ['url', ({ Url }) => Url],
        ['description', ({ Description }) => Description],
      ]);
    }),
};

/** The crawls of a content source, or of all of them, newest first. */
async function crawlsOf(admin: Client, source: string | undefined): Promise<Progress[]> {
  if (source === undefined) return progressOf(admin, '1 = 1');
  const { id } = await sourceNamed(admin, source);
  return progressOf(admin, 'ContentSourceID = @id', { id });
}

const lineOf = (text: string): string => (text === '' ? '' : `${text.trim()}\n`);

type Column<Row> = readonly [heading: string, value: (row: Row) => unknown];

/** Prints rows in columns, or all that is known of them as JSON. */
function print<Row>({ flags, world }: Invocation, rows: readonly Row[], shown: readonly Column<Row>[]): void {
  if (flags.has('json')) world.stdout.write(`${JSON.stringify(rows)}\n`);
  else if (rows.length === 0) world.stdout.write('Nothing to show.\n');
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
  if (!/^\d{1,6}$/.test(given)) throw new UsageError(`--count must be a whole number, not '${given}'.`);
  return Number(given);
}
