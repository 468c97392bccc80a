import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../../src/base/clock.ts';
import { type Sql, sql } from '../../../../../src/engine/sql.ts';
import { flushAnchorProject } from '../../../../../src/protocols/search/gather/flush/anchor-project.ts';
import { KnownRecords } from '../../../../../src/protocols/search/gather/flush/known.ts';
import { firstLinks } from '../../../../../src/protocols/search/gather/flush/link.ts';
import { transactionType } from '../../../../../src/protocols/search/gather/values.ts';
import { searchCrawl } from '../../../../../src/protocols/search/kinds/search-crawl.ts';
import { openEngine } from '../../../../support/engines.ts';
import { noting, planOf } from '../../../../support/plans.ts';

test('MS-SQLPGAT2 3.1.5.14: documents are looked up by the hashes of access and compact URLs, whatever a store holds', async () => {
  await using storage = await openEngine('sqlite', { schemas: [searchCrawl.schema], clock: new ManualClock() });
  const database = await storage.create('Store', searchCrawl.name);
  const statements: Sql[] = [];
  const plans = await database.write(async (db) => {
    await db.run(sql`
      insert into crawl_links (crawl_id, host_id, access_url, access_key, access_hash, item_type, transaction_type)
      values (5, 1, 'a', 'a', 1, 2, ${transactionType.rename})`);
    await KnownRecords.of(noting(db, statements), 5, await firstLinks(db, 5, 10));
    await flushAnchorProject(noting(db, statements), 5, { first: 1, last: 10 });
    return await Promise.all(statements.map((statement) => planOf(db, statement)));
  });
  const lookups = plans.flat().filter((line) => /^(?:SCAN|SEARCH) h\b/.test(line));
  const indexes = lookups.map((line) => /^SEARCH h USING INDEX crawl_history_by_(\w+)/.exec(line)?.[1] ?? line);
  assert.deepEqual(indexes, ['access', 'access', 'compact', 'access', 'compact']);
});
