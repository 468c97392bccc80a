import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../src/base/clock.ts';
import { sql } from '../../../../src/engine/sql.ts';
import { anchorRows } from '../../../../src/protocols/search/anchors/anchor-rows.ts';
import { searchCrawl } from '../../../../src/protocols/search/kinds/search-crawl.ts';
import { openEngine } from '../../../support/engines.ts';
import { planOf } from '../../../support/plans.ts';

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
