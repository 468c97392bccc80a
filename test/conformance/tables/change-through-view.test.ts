import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { password, startServer } from '../../support/server.ts';
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

  test('INSERT goes through a view as well: defaults, numbers and OUTPUT are those of the table', async () => {
    await using server = await startServer({ engine, kinds: [ledger] });
    const client = await server.connect('tempdb');
    await client.batch(
      'create view entered as select Id, Code as c, Amount as m, Amount * 2 as twice from Ledger.dbo.Entries',
    );
    await client.batch('create view codes as select c from entered');
    const { sets } = await client.batch("insert entered (c) output inserted.Id, inserted.m values ('a'), ('b')");
    assert.deepEqual(sets, [
      [
        { Id: '1', m: 7 },
        { Id: '2', m: 7 },
      ],
    ]);
    await client.batch("insert codes select c + 'x' from codes where c = 'b'");
    assert.deepEqual((await client.batch('select @@identity as n, scope_identity() as s')).sets, [[{ n: 3, s: 3 }]]);
    assert.deepEqual((await client.batch('select c, m from entered order by Id')).sets, [
      [
        { c: 'a', m: 7 },
        { c: 'b', m: 7 },
        { c: 'bx', m: 7 },
      ],
    ]);
    await assert.rejects(client.batch("insert entered (c, twice) values ('d', 4)"), { number: 4406 });
    await assert.rejects(client.batch("insert codes values ('a')"), { number: 2627 });
    await client.batch("with e as (select Code, Amount from Ledger..Entries) insert e values ('e', 9)");
    assert.deepEqual((await client.batch('select count(*) as n from codes')).sets, [[{ n: 4 }]]);
  });

  test('WITH CHECK OPTION: 550 for rows of a database that would leave the view, and nothing is changed', async () => {
    await using server = await startServer({ engine, kinds: [ledger] });
    const client = await server.connect('tempdb');
    await client.batch(
      'create view large as select Code as c, Amount as m from Ledger..Entries where Amount > 5 with check option',
    );
    await client.batch("insert large values ('a', 6), ('b', 9)");
    await assert.rejects(client.batch("insert large values ('c', 7), ('d', 5)"), { number: 550 });
    await assert.rejects(client.batch('update large set m -= 2'), { number: 550 });
    await client.batch("update large set m -= 2 where c = 'b'");
    assert.deepEqual((await client.batch('select c, m from large order by c')).sets, [
      [
        { c: 'a', m: 6 },
        { c: 'b', m: 7 },
      ],
    ]);
  });

  test('nobody changes more through a view than directly: 229 for readers, 916 for strangers', async () => {
    await using server = await startServer({ engine, kinds: [ledger] });
    const client = await server.connect('tempdb');
    await client.batch('create view all_entries as select Code, Amount from Ledger..Entries');
    await client.batch(
      `create login reader with password = '${password}' create login stranger with password = '${password}'`,
    );
    await client.batch("exec Ledger..sp_addrolemember 'db_datareader', 'reader' insert all_entries values ('a', 1)");
    const config = server.config('tempdb');
    const changes = [
      "insert all_entries values ('b', 2)",
      'update all_entries set Amount = 2',
      'delete all_entries',
      "with e as (select Code from Ledger..Entries) insert e values ('b')",
    ];
    for (const [userName, number] of [
      ['reader', 229],
      ['stranger', 916],
    ] as const) {
      await using other = await TestClient.open({
        ...config,
        authentication: { type: 'default', options: { userName, password } },
      });
      for (const change of changes) await assert.rejects(other.batch(change), { number }, `${userName}: ${change}`);
      await assert.rejects(other.batch('create view x as select 1 as a'), { number: 262 });
      await assert.rejects(other.batch("exec sp_rename 'all_entries', 'x'"), { number: 15225 });
      await assert.rejects(other.batch("exec sp_refreshview 'all_entries'"), { number: 15165 });
    }
    assert.deepEqual((await client.batch('select * from all_entries')).sets, [[{ Code: 'a', Amount: 1 }]]);
  });
});
