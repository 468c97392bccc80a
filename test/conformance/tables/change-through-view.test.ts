import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import { startServer } from '../../support/server.ts';
import { ledger } from './ledger.ts';

forEachEngine((engine) => {
  test('UPDATE and DELETE may go through a view of tempdb, and concern the rows that it has', async () => {
    await using server = await startServer({ engine, kinds: [ledger] });
    const client = await server.connect('Ledger');
    const inTempdb = await server.connect('tempdb');
    await client.batch("insert Entries (Code, Amount) values ('a', 1), ('b', 2), ('c', 3)");
    await inTempdb.batch('create view large as select Code as c, Amount as m from Ledger..Entries where Amount > 1');
    await client.batch("update tempdb..large set m = 5 update tempdb.dbo.large set m += 1 where c = 'c'");
    await client.batch('delete tempdb..large where m = 5');
    assert.deepEqual((await client.batch('select Code, Amount from Entries order by Id')).sets, [
      [
        { Code: 'a', Amount: 1 },
        { Code: 'c', Amount: 6 },
      ],
    ]);
    await client.batch('delete tempdb..large');
    assert.deepEqual((await client.batch('select Code from Entries')).sets, [[{ Code: 'a' }]]);
  });
});
