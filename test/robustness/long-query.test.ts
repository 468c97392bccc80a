import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import type { TestClient } from '../support/client.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Rows enough that a join of four takes longer than anybody waits. */
const many = `create table #n (n int)
  insert #n select top 400 row_number() over (order by name) from sys.all_columns`;

describe('a query that would run for ages', () => {
  let server: TestServer;
  let client: TestClient;
  let other: TestClient;
  before(async () => {
    server = await startServer({ kinds: [] });
    client = await server.connect('master');
    other = await server.connect('master');
    assert.equal((await client.batch(many)).rowCount, 400);
  });
  after(() => server[Symbol.asyncDispose]());

  const product = '#n a, #n b, #n c, #n d';
  const endless = {
    'sums up a product': `select max(a.n ^ b.n ^ c.n ^ d.n) from ${product}`,
    'finds nothing in a product': `select 1 from ${product} where a.n + b.n + c.n + d.n = -1`,
    'sorts a product': 'select top 1 a.n from #n a cross join #n b cross join #n c cross join #n d order by d.n',
    'numbers a product': `select top 1 row_number() over (order by a.n) from ${product}`,
    'has its product in a subquery': `select (select max(a.n ^ b.n ^ c.n ^ d.n) from ${product})`,
    'has it in a subquery of each row': `select (select max(x.n ^ a.n ^ b.n ^ c.n ^ d.n) from ${product}) from #n x`,
    'has many short subqueries': `select sum((select count(*) from #n y where y.n > a.n)) from ${product}`,
    'looks for what EXISTS never finds': `select 1 where exists (select 1 from ${product} where a.n + b.n + c.n + d.n = 0)`,
    'looks for what IN never finds': `select 1 where 0 in (select a.n + b.n + c.n + d.n from ${product})`,
    'compares with ALL': `select 1 where 0 < all (select a.n + b.n + c.n + d.n from ${product})`,
    'calls itself':
      'with r(n) as (select 0 union all select (n + 1) % 10 from r) select max(n) from r option (maxrecursion 0)',
    'grows by calling itself':
      'with r(n) as (select 0 union all select r.n + 1 from r, (values (0), (1)) v(x) where r.n < 40) select max(n) from r option (maxrecursion 0)',
    'joins a subquery': `select 1 from #n x join #n y on (select max(a.n) from ${product}) = x.n + y.n`,
    'groups by a subquery': `select count(*) from #n x group by x.n + 0, x.n having max(x.n) > (select max(a.n) from ${product})`,
    'asks IF': `if (select max(a.n ^ b.n ^ c.n ^ d.n) from ${product}) > 0 select 1`,
    'sets a variable': `declare @x int set @x = (select max(a.n ^ b.n ^ c.n ^ d.n) from ${product})`,
    'updates rows': `update #n set n = (select max(a.n) from ${product} where a.n + b.n + c.n + d.n = -1)`,
    'deletes rows': `delete #n where n in (select a.n + b.n + c.n + d.n + 1000 from ${product})`,
    'inserts a value': `insert #n values ((select max(a.n ^ b.n ^ c.n ^ d.n) from ${product}))`,
    loops: 'declare @i int = 0 while 1 = 1 set @i = 1 - @i',
  };
  const sums = 'select count(*) as n, sum(n) as total from #n';
  for (const [what, query] of Object.entries(endless)) {
    test(`that ${what} leaves other sessions their turn, and ends when it is cancelled`, async () => {
      const before = (await client.batch(sums)).sets;
      let isOver = false;
      const running = assert.rejects(client.batch(query), { code: 'ECANCEL' }).finally(() => {
        isOver = true;
      });
      for (const x of [1, 2, 3]) assert.deepEqual((await other.batch(`select ${x} as x`)).sets, [[{ x }]]);
      assert.equal(isOver, false);
      client.connection.cancel();
      await running;
      assert.deepEqual((await client.batch(sums)).sets, before);
    });
  }

  test('shares the time with another one', async () => {
    const running = assert.rejects(client.batch(endless['has its product in a subquery']), { code: 'ECANCEL' });
    await other.batch(many.replaceAll('400', '30'));
    const counted = await other.batch('select (select count(*) from #n a, #n b, #n c) as n');
    assert.deepEqual(counted.sets, [[{ n: 30 ** 3 }]]);
    client.connection.cancel();
    await running;
  });

  test('as a batch of many short statements leaves other sessions their turn', async () => {
    const [[{ spid } = {}] = []] = (await client.batch('select @@spid as spid')).sets;
    const statements = 'set @n = 1 '.repeat(100_000);
    const begun = once(client.connection, 'infoMessage');
    const long = client.batch(`declare @n int raiserror('begun', 0, 1) with nowait ${statements}`);
    await begun;
    const seen = await other.batch(`select status from sys.dm_exec_sessions where session_id = ${spid}`);
    assert.deepEqual(seen.sets, [[{ status: 'running' }]]);
    await long;
  });
});
