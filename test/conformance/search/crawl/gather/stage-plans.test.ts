import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../../src/base/clock.ts';
import type { Sql } from '../../../../../src/engine/sql.ts';
import { queueUnvisited } from '../../../../../src/protocols/search/gather/stages/queue-unvisited.ts';
import { searchCrawl } from '../../../../../src/protocols/search/kinds/search-crawl.ts';
import { openEngine } from '../../../../support/engines.ts';
import { noting, planOf } from '../../../../support/plans.ts';

test('MS-SQLPGAT2 3.1.5.7 stage 145: the hosts of start addresses are looked for once, not for every document', async () => {
  await using storage = await openEngine('sqlite', { schemas: [searchCrawl.schema], clock: new ManualClock() });
  const database = await storage.create('Store', searchCrawl.name);
  const statements: Sql[] = [];
  await database.write((db) =>
    queueUnvisited.run({ db: noting(db, statements), now: new Date(0), kind: searchCrawl.name } as never, {
      ComponentID: 0,
      ProjectID: 1,
      CrawlType: 1,
      CrawlID: 5,
      ContentSourceID: 1,
      MiscInputData: 1,
    }),
  );
  const plans = await database.read((db) => Promise.all(statements.map((statement) => planOf(db, statement))));
  const lookups = plans.flat().filter((line) => /LIST SUBQUERY/.test(line));
  assert.equal(lookups.length, 4, plans.flat().join('\n'));
  for (const line of lookups) assert.doesNotMatch(line, /CORRELATED/);
});
