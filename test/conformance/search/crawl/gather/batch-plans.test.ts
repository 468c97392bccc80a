import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../../src/base/clock.ts';
import { type Sql, sql } from '../../../../../src/engine/sql.ts';
import { getNextCrawlBatch } from '../../../../../src/protocols/search/gather/get-next-crawl-batch.ts';
import { searchCrawl } from '../../../../../src/protocols/search/kinds/search-crawl.ts';
import { nvarchar } from '../../../../../src/tds/types/index.ts';
import { openEngine } from '../../../../support/engines.ts';
import { noting } from '../../../../support/plans.ts';

test('MS-SQLPGAT2 3.1.5.45: on PostgreSQL a plan that was made while the queue was empty looks at each item once', async () => {
  await using storage = await openEngine('postgres', { schemas: [searchCrawl.schema], clock: new ManualClock() });
  const database = await storage.create('Store', searchCrawl.name);
  const statements: Sql[] = [];
  const plan = await database.write(async (db) => {
    const asked = { ComponentID: 0, ProjectID: 1, CrawlID: 2, BatchSize: 100, BatchID: null };
    await getNextCrawlBatch.handle(
      { db: noting(db, statements), now: new Date(0), kind: searchCrawl.name } as never,
      asked,
      undefined,
    );
    await db.run(sql`analyze crawl_queue`);
    const taking = statements.find(({ strings }) => /update crawl_queue/.test(strings.join()));
    assert.ok(taking);
    const [first, ...rest] = taking.strings;
    const lines = await db.all(
      { 'QUERY PLAN': nvarchar('max') },
      { ...taking, strings: [`explain ${first}`, ...rest] },
    );
    return lines.map((line) => line['QUERY PLAN']);
  });
  assert.doesNotMatch(plan.join('\n'), /Nested Loop/);
});
