import type { Database } from '../../../src/engine/db.ts';
import { type Sql, sql } from '../../../src/engine/sql.ts';

/** Rows in one transaction. */
const rowsInAStep = 50_000;

/** The crawl that the items are of. */
export const filledCrawl = 2;

/** Fills a crawl store with documents 1 to `count`, each with a free item in the queue, past the procedures. */
export async function fillQueue(database: Database, count: number): Promise<void> {
  await database.write((db) => db.insert('local_components', ['component_id', 'status'], [[0, 1]]));
  for (let first = 1; first <= count; first += rowsInAStep) {
    const numbers = numbersBetween(first, Math.min(count, first + rowsInAStep - 1));
    await database.write((db) => db.runAll([documents(numbers), items(numbers)]));
  }
}

const numbersBetween = (first: number, last: number): Sql => sql`(
  with recursive counted(n) as (
    select cast(${first} as bigint) union all select n + 1 from counted where n < cast(${last} as bigint))
  select n, 'http://portal.example/sites/team' || (n % 997) || '/report-' || n || '.docx' as url from counted) numbers`;

const documents = (numbers: Sql): Sql => sql`
  insert into crawl_history (doc_id, crawl_id, start_address_id, content_source_id, project_id, access_url, access_key,
    access_hash, host_id)
  select n, ${filledCrawl}, 1, 1, 1, url, url, (n * 7919) % 2000000000, 1 from ${numbers}`;

const items = (numbers: Sql): Sql => sql`
  insert into crawl_queue (crawl_id, doc_id, start_address_id, content_source_id, project_id, transaction_type, scope)
  select ${filledCrawl}, n, 1, 1, 1, 2, 2 from ${numbers}`;
