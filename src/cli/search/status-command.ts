import { crawlProgress } from '../../protocols/search/crawls/progress.ts';
import { crawlWork } from '../../protocols/search/gather/relations/progress.ts';
import { crawlStores } from '../../protocols/search/topology/stores.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import type { OpenData } from '../data.ts';
import { database, withAdmin } from './admin-database.ts';
import { readRelation } from './read-relation.ts';

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
  flags: { database },
  settings: ['all'],
  async run(invocation) {
    const rows = await withAdmin(invocation, async (admin, { engine }) => {
      const { crawls, stores } = await admin.read(async (db) => ({
        crawls: await readRelation(db, crawlProgress),
        stores: await crawlStores(db),
      }));
      const left = await workOf(
        engine,
        stores.map(({ name }) => name),
      );
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
async function workOf(engine: OpenData['engine'], names: readonly string[]): Promise<Map<number, string>> {
  const counts = new Map<number, number[]>();
  for (const name of names) {
    const store = await engine.open(name);
    for (const row of (await store?.read((db) => readRelation(db, crawlWork))) ?? []) {
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
