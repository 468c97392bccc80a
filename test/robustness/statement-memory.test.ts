import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { translation } from '../../src/protocols/translation/kind.ts';
import { nodesOfKeptPlans } from '../../src/tsql/query/kept-plans.ts';
import type { TestClient } from '../support/client.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Many rows that no table holds: pairs of columns of the catalog. */
const pairs = 'sys.all_objects a, sys.all_objects b';

describe('a statement that needs more memory than it may', () => {
  let server: TestServer;
  let client: TestClient;
  let other: TestClient;
  before(async () => {
    server = await startServer({ kinds: [], settings: { maxStatementMemory: 4 * 1024 * 1024 } });
    client = await server.connect('master');
    other = await server.connect('master');
  });
  after(() => server[Symbol.asyncDispose]());

  const hungry = {
    sorts: `select a.name, b.name from ${pairs} order by b.name, a.name`,
    groups: `select a.name, b.name, a.object_id, b.object_id, count(*) from ${pairs} group by a.name, b.name, a.object_id, b.object_id`,
    'tells rows apart': `select distinct a.name, b.name, a.object_id, b.object_id from ${pairs}`,
    'counts different values': `select count(distinct a.name + b.name + cast(a.object_id as nvarchar(20))) from ${pairs}`,
    joins: `select count(*) from sys.all_columns c join (select a.name as x, b.name as y from ${pairs}) d on d.x = c.name + 'x'`,
    'numbers rows': `select a.name, rank() over (order by b.name) from ${pairs}`,
    'looks up values': `select 1 where 'x' in (select a.name + b.name + cast(b.object_id as nvarchar(20)) from ${pairs})`,
    unites: `select a.name, b.name, b.object_id from ${pairs} union select b.name, a.name, a.object_id from ${pairs}`,
  };
  for (const [what, query] of Object.entries(hungry)) {
    test(`because it ${what} gets error 701, and others go on`, async () => {
      const refused = assert.rejects(client.batch(query), { number: 701 });
      assert.deepEqual((await other.batch('select 1 as x')).sets, [[{ x: 1 }]]);
      await refused;
      assert.deepEqual((await client.batch('select count(*) as n from (values (1), (2)) v(a)')).sets, [[{ n: 2 }]]);
    });
  }

  test('TOP with ORDER BY holds hardly more rows than it wants', async () => {
    const { sets } = await client.batch(`select top 3 a.name from ${pairs} order by b.name, a.name`);
    assert.equal(sets[0]?.length, 3);
  });
});

describe('plans that are kept for the next run', () => {
  test('have a bound together, long queries and long constants are not kept, and short ones are', async () => {
    await using server = await startServer({ kinds: [translation] });
    const client = await server.connect('TranslationServices');
    const conditions = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => `Items ${at % 2 ? '<' : '>'} ${from + at}`).join(' or ');
    const select = (condition: string) => client.batch(`select Items from ItemCounts where ${condition}`);
    const before = nodesOfKeptPlans();
    await select('Items = 1');
    const afterOne = nodesOfKeptPlans();
    assert.ok(afterOne > before && afterOne < before + 100);
    await select(conditions(0, 1400));
    await select(`PartitionId = N'${'x'.repeat(1_000_000)}'`).catch(() => {});
    assert.equal(nodesOfKeptPlans(), afterOne);
    for (let at = 0; at < 80; at++) await select(conditions(at, 400));
    assert.ok(nodesOfKeptPlans() <= 64_000, `${nodesOfKeptPlans()} nodes`);
    assert.ok(nodesOfKeptPlans() > 30_000, `${nodesOfKeptPlans()} nodes`);
  });
});
