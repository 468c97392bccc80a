import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { ledger } from './ledger.ts';

forEachEngine((engine) => {
  describe('sp_describe_undeclared_parameters', () => {
    let server: TestServer;
    let client: TestClient;
    before(async () => {
      server = await startServer({ engine, kinds: [ledger] });
      client = await server.connect('Ledger');
      await client.batch('create table #asked (v varchar(100), n numeric(17, 5))');
    });
    after(() => server[Symbol.asyncDispose]());

    const ask = async (text: string) =>
      (await client.batch(`exec sp_describe_undeclared_parameters N'${text}'`)).sets[0]?.map(
        (row) => row['suggested_system_type_name'],
      );

    test('tells what the columns of a table of the database ask for', async () => {
      assert.deepEqual(await ask('insert Entries (Code, Share) values (@P1, @P2)'), ['nvarchar(10)', 'float']);
      assert.deepEqual(await ask('insert Cells values (@P1, @P2, 1)'), ['nvarchar(6)', 'int']);
      assert.deepEqual(await ask('update e set Note = @P1 from Ledger..Entries as e where e.Id = @P2'), [
        'nvarchar(max)',
        'bigint',
      ]);
      assert.deepEqual(await ask('delete Ledger.dbo.Pairs where Name = @P1'), ['nvarchar(20)']);
    });

    test('tells what a change with FROM, TOP, an alias or through a query asks for', async () => {
      const query = 'with c (k, r) as (select v, n from #asked)';
      for (const [change, types] of [
        [`${query} update top (@P1) c set k = @P2 where r = @P3`, ['bigint', 'varchar(100)', 'numeric(17,5)']],
        [`${query} insert c values (@P1, @P2)`, ['varchar(100)', 'numeric(17,5)']],
        ['delete x from (select v from #asked) as x where v = @P1', ['varchar(100)']],
        ['update a set n = @P1 from #asked as a join Pairs as p on p.Name = @P2', ['numeric(17,5)', 'nvarchar(20)']],
      ] as const) {
        assert.deepEqual(await ask(change), types, change);
      }
      await assert.rejects(ask('update #nowhere set a = @P1'), { number: 208 });
    });
  });
});
