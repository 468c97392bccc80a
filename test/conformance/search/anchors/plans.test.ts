import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../src/base/clock.ts';
import { type Sql, sql } from '../../../../src/engine/sql.ts';
import { anchorRows } from '../../../../src/protocols/search/anchors/anchor-rows.ts';
import { resolveAnchors } from '../../../../src/protocols/search/gather/stages/complete/anchors.ts';
import { searchCrawl } from '../../../../src/protocols/search/kinds/search-crawl.ts';
import { openEngine } from '../../../support/engines.ts';
import { noting, planOf } from '../../../support/plans.ts';

test('MS-SQLPGAT2 3.1.5.62: a range of targets reads no other links, annotations or documents', async () => {
  await using storage = await openEngine('sqlite', { schemas: [searchCrawl.schema], clock: new ManualClock() });
  const database = await storage.create('Store', searchCrawl.name);
  const targets = sql`
    select target_doc_id, max(change_type) from anchor_changes
    where target_doc_id >= ${1} and target_doc_id < ${9} and crawl_id = ${5} group by target_doc_id`;
  const plan = await database.read((db) => planOf(db, anchorRows(targets)));
  const scans = plan.filter((line) => /^SCAN (?!t\b|targets|found|\()/.test(line));
  assert.deepEqual(scans, [], plan.join('\n'));
});

test('MS-SQLPGAT2 3.1.5.7 stage 149: documents are looked up for the anchors that lead nowhere, by their hashes', async () => {
  await using storage = await openEngine('sqlite', { schemas: [searchCrawl.schema], clock: new ManualClock() });
  const database = await storage.create('Store', searchCrawl.name);
  const statements: Sql[] = [];
  await database.write((db) => resolveAnchors(noting(db, statements), 5));
  const plans = await database.read((db) => Promise.all(statements.map((statement) => planOf(db, statement))));
  const lookups = plans.flat().filter((line) => /^(?:SCAN|SEARCH) h\b/.test(line));
  assert.equal(lookups.length, 8, lookups.join('\n'));
  for (const line of lookups)
    assert.match(line, /^SEARCH h USING INDEX (?:crawl_history_by_(?:access|display)|sqlite_autoindex)/);
});
