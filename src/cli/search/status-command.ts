import type { Client } from '../../client/client.ts';
import { Farm } from '../../workers/crawl/store/farm.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
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

/** Prints where each crawl stands, and what is left of it in the crawl stores. */
export const statusCommand: Command = {
  name: 'search status',
  args: [],
  summary: 'Says where each crawl stands: status, who is awaited for what, since when, and what is in the queue.',
  flags: placeFlags,
  settings: ['all'],
  async run(invocation) {
    const rows = await withClient(invocation, async (admin) => {
      const { sets } = await admin.query('select * from CrawlProgress order by CrawlID');
      const crawls = sets[0] ?? [];
      const left = await workOf(admin);
      return crawls.map((crawl) => [
        ...['CrawlID', 'Type', 'Project', 'ContentSourceID', 'Stands', 'Since', 'WaitsFor'].map((name) =>
          shown(crawl[name]),
        ),
        shown(crawl['Components']),
        shown(crawl['Stores']),
        left.get(Number(crawl['CrawlID'])) ?? 'nothing',
      ]);
    });
    invocation.world.stdout.write(rows.length === 0 ? 'There is no crawl.\n' : columns(heading, rows));
  },
};

const shown = (value: unknown): string => {
  if (value instanceof Date) return value.toISOString();
  return value === null || value === undefined ? '' : String(value);
};

const kinds: readonly (readonly [column: string, words: string])[] = [
  ['FreeItems', 'in the queue'],
  ['ItemsInBatches', 'in batches'],
  ['Links', 'links'],
  ['ColleagueLinks', 'colleague links'],
];

/** What is left to do of each crawl in all crawl stores together. */
async function workOf(admin: Client): Promise<Map<number, string>> {
  const counts = new Map<number, number[]>();
  for (const { client } of (await Farm.of(admin)).stores) {
    const { sets } = await client.query('select * from CrawlWork');
    for (const row of sets[0] ?? []) {
      const crawl = Number(row['CrawlID']);
      const before = counts.get(crawl) ?? [];
      counts.set(
        crawl,
        kinds.map(([column], index) => (before[index] ?? 0) + Number(row[column])),
      );
    }
  }
  const words = (of: readonly number[]) =>
    kinds.flatMap(([, what], index) => (of[index] === 0 ? [] : [`${of[index]} ${what}`])).join(', ');
  return new Map([...counts].map(([crawl, of]) => [crawl, words(of)]));
}
