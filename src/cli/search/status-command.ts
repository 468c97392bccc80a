import type { Client } from '../../client/client.ts';
import { crawlStatus } from '../../protocols/search/crawls/crawl-status.ts';
import { progressOf } from '../../workers/crawl/progress.ts';
import { Farm } from '../../workers/crawl/store/farm.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { answer, json } from '../json-flag.ts';
import { placeFlags, withClient } from '../place.ts';

const heading = [
  'crawl',
  'type',
  'project',
  'source',
  'stands',
  'since',
  'waits for',
  'components',
  'stores',
  'left to do',
];

const shownColumns = [
  'CrawlID',
  'Type',
  'Project',
  'ContentSourceID',
  'Stands',
  'Since',
  'WaitsFor',
  'Components',
  'Stores',
];

/** Prints the state of each crawl, and what is left of it in the crawl stores. */
export const statusCommand: Command = {
  name: 'search status',
  args: [],
  summary: 'Shows the state of each crawl: status, what it is waiting for and since when, and the queue.',
  flags: { json, ...placeFlags },
  settings: ['all'],
  async run(invocation) {
    const crawls = await withClient(invocation, async (admin) => {
      const { sets } = await admin.query('select * from CrawlProgress order by CrawlID');
      const left = await workOf(admin);
      const held = new Map((await heldCrawls(admin)).map(({ crawl, waitsFor }) => [crawl, waitsFor]));
      return (sets[0] ?? []).map((crawl) => {
        const id = Number(crawl['CrawlID']);
        return { ...crawl, WaitsFor: held.get(id) ?? crawl['WaitsFor'], Left: left.get(id) ?? nothingLeft };
      });
    });
    await answer(invocation, crawls, () => {
      if (crawls.length === 0) return 'There are no crawls.';
      const rows = crawls.map(({ Left, ...crawl }: { Left: Left } & Record<string, unknown>) => [
        ...shownColumns.map((name) => shown(crawl[name])),
        wordsOf(Left) || 'nothing',
      ]);
      return columns(heading, rows).trimEnd();
    });
  },
};

/** The crawls that wait for an operator. */
const heldCrawls = async (admin: Client) =>
  (await progressOf(admin, `Status = ${crawlStatus.started}`)).filter(({ isHeld }) => isHeld);

const shown = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  return value === null || value === undefined ? '' : String(value);
};

/** What is left to do, by the columns of CrawlWork, and in words. */
const kinds = {
  FreeItems: 'in the queue',
  ItemsInBatches: 'in batches',
  Links: 'links',
  ColleagueLinks: 'colleague links',
} as const;

type Left = Readonly<Record<keyof typeof kinds, number>>;

const nothingLeft: Left = { FreeItems: 0, ItemsInBatches: 0, Links: 0, ColleagueLinks: 0 };

const wordsOf = (left: Left): string =>
  Object.entries(kinds)
    .flatMap(([column, what]) => {
      const count = left[column as keyof Left];
      return count === 0 ? [] : [`${count} ${count === 1 ? what.replace(/links$/, 'link') : what}`];
    })
    .join(', ');

/** What is left to do of each crawl in all crawl stores together. */
async function workOf(admin: Client): Promise<Map<number, Left>> {
  const counts = new Map<number, Left>();
  for (const { client } of (await Farm.of(admin)).stores) {
    const { sets } = await client.query('select * from CrawlWork');
    for (const row of sets[0] ?? []) {
      const crawl = Number(row['CrawlID']);
      const before = counts.get(crawl) ?? nothingLeft;
      const more = (column: keyof Left) => before[column] + Number(row[column]);
      counts.set(crawl, {
        FreeItems: more('FreeItems'),
        ItemsInBatches: more('ItemsInBatches'),
        Links: more('Links'),
        ColleagueLinks: more('ColleagueLinks'),
      });
    }
  }
  return counts;
}
