import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import type { TestClient } from '../support/client.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Rows enough that a join of four takes longer than anybody waits. */
const many = `create table #n (n int)
  insert #n select top 400 row_number() over (order by a.name) from sys.all_columns a, sys.all_columns b`;

describe('a query that would run for ages', () => {
  let server: TestServer;
  let client: TestClient;
  let other: TestClient;
  before(async () => {
    server = await startServer({ kinds: [] });
    client = await server.connect('master');
    other = await server.connect('master');
    await client.batch(many);
  });
  after(() => server[Symbol.asyncDispose]());

  const endless = {
    'sums up a product': 'select max(a.n ^ b.n ^ c.n ^ d.n) from #n a, #n b, #n c, #n d',
    'finds nothing in a product': 'select 1 from #n a, #n b, #n c, #n d where a.n + b.n + c.n + d.n = -1',
    'sorts a product': 'select top 1 a.n from #n a cross join #n b cross join #n c cross join #n d order by d.n',
    'numbers a product': 'select top 1 row_number() over (order by a.n) from #n a, #n b, #n c, #n d',
  };
  for (const [what, query] of Object.entries(endless)) {
    test(`that ${what} leaves other sessions their turn, and ends when it is cancelled`, async () => {
      const running = assert.rejects(client.batch(query), { code: 'ECANCEL' });
      assert.equal((await other.batch('select 1 as x')).rowCount, 1);
      assert.equal((await other.batch('select 2 as x')).rowCount, 1);
      client.connection.cancel();
      await running;
      assert.equal((await client.batch('select 1 as x')).rowCount, 1);
    });
  }

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

  test('in a subquery ends by itself', { timeout: 120_000 }, async () => {
    await assert.rejects(client.batch('select (select max(a.n ^ b.n ^ c.n ^ d.n) from #n a, #n b, #n c, #n d)'), {
      number: 8649,
    });
  });
});
