import type { Bindable } from '../../../src/base/stored.ts';
import type { Database } from '../../../src/engine/db.ts';

/** Rows in one transaction. */
const rowsInAStep = 50_000;

const documentColumns = [
  'doc_id',
  'crawl_id',
  'start_address_id',
  'content_source_id',
  'project_id',
  'access_url',
  'access_key',
  'access_hash',
  'host_id',
];
const itemColumns = [
  'crawl_id',
  'doc_id',
  'start_address_id',
  'content_source_id',
  'project_id',
  'transaction_type',
  'scope',
];

/** The crawl that the items are of. */
export const filledCrawl = 2;

/** Fills a crawl store with documents 1 to `count`, each with a free item in the queue, past the procedures. */
export async function fillQueue(database: Database, count: number): Promise<void> {
  await database.write((db) => db.insert('local_components', ['component_id', 'status'], [[0, 1]]));
  for (let first = 1; first <= count; first += rowsInAStep) {
    const last = Math.min(count, first + rowsInAStep - 1);
    await database.write(async (db) => {
      await db.insert('crawl_history', documentColumns, rows(first, last, document));
      await db.insert('crawl_queue', itemColumns, rows(first, last, item));
    });
  }
}

function document(n: number): Bindable[] {
  const url = `http://portal.example/sites/team${n % 997}/report-${n}.docx`;
  return [n, filledCrawl, 1, 1, 1, url, url, (n * 7919) % 2_000_000_000, 1];
}

const item = (n: number): Bindable[] => [filledCrawl, n, 1, 1, 1, 2, 2];

function* rows(first: number, last: number, row: (n: number) => Bindable[]): Generator<readonly Bindable[]> {
  for (let n = first; n <= last; n++) yield row(n);
}
