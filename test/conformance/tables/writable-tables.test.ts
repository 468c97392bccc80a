import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test';
import { handing } from '../../../src/tsql/query/by-engine/hand-over.ts';
import { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { ledger } from './ledger.ts';

/** For the time of a test, says whether statements are handed to the engine. */
function handOver(isOn: boolean, t: TestContext): void {
  handing.isOn = isOn;
  t.after(() => {
    handing.isOn = true;
  });
}

forEachEngine((engine) => {
  describe('tables that clients write', () => {
    let server: TestServer;
    let client: TestClient;
    before(async () => {
      server = await startServer({ engine, kinds: [ledger] });
      client = await server.connect('Ledger');
    });
    after(() => server[Symbol.asyncDispose]());
    beforeEach(() => client.batch('truncate table Entries; delete Pairs; delete Events'));

    const rows = async (query: string) => (await client.batch(query)).sets[0]?.map((row) => Object.values(row));
    const refused = (batch: string, number: number, message?: RegExp) =>
      assert.rejects(client.batch(batch), { number, ...(message === undefined ? {} : { message }) });

    test('INSERT fills the columns that it names; the others get their default, a number or NULL', async () => {
      const { rowCount } = await client.batch(`
        insert Entries (code, [open], at, owner, body, share, note) values
          ('a', 1, '2024-05-06T07:08:09.010', '6F9619FF-8B86-D011-B42D-00C04FC964FF', 0x0102, 0.5, N'Zoë 🌾');
        insert into Ledger.dbo.Entries (Code, Amount) values ('b', 1), ('c', default)`);
      assert.equal(rowCount, 3);
      assert.deepEqual(await rows('select * from Entries order by Id'), [
        [
          '1',
          'a',
          7,
          true,
          new Date('2024-05-06T07:08:09.010Z'),
          '6F9619FF-8B86-D011-B42D-00C04FC964FF',
          Buffer.of(1, 2),
          0.5,
          'Zoë 🌾',
        ],
        ['2', 'b', 1, null, null, null, null, null, null],
        ['3', 'c', 7, null, null, null, null, null, null],
      ]);
    });

    test('INSERT tells its numbers: @@IDENTITY, SCOPE_IDENTITY, @@ROWCOUNT and OUTPUT', async () => {
      const { sets } = await client.batch(`
        insert Entries (Code) output inserted.Id, inserted.Code, inserted.Amount values ('x'), ('y')
        select @@identity as i, scope_identity() as s, @@rowcount as n`);
      assert.deepEqual(sets, [
        [
          { Id: '1', Code: 'x', Amount: 7 },
          { Id: '2', Code: 'y', Amount: 7 },
        ],
        [{ i: 2, s: 2, n: 2 }],
      ]);
    });

    test('OUTPUT INTO fills the columns that it names; what it cannot hold leaves nothing anywhere', async () => {
      const { sets } = await client.batch(`
        declare @seen table (n int identity, id bigint, code nvarchar(10), old int)
        insert Entries (Code) output inserted.Code, inserted.Id into @seen (code, id) values ('x'), ('y')
        update Entries set Amount = Id output inserted.Id, inserted.Code, deleted.Amount into @seen where Code = 'y'
        delete Entries output deleted.Id, deleted.Code, null into @seen where Code = 'x'
        select *, scope_identity() as s from @seen`);
      assert.deepEqual(
        sets[0]?.map((row) => Object.values(row)),
        [
          [1, '1', 'x', null, 2],
          [2, '2', 'y', null, 2],
          [3, '2', 'y', 7, 2],
          [4, '1', 'x', null, 2],
        ],
      );
      await client.batch("delete Entries; insert Entries (Code) values ('kept'); create table #few (n tinyint)");
      for (const [change, number] of [
        ["insert Entries (Code, Amount) output 1 / (inserted.Amount - 1) values ('z', 1)", 8134],
        ["insert Entries (Code, Amount) output inserted.Amount into #few values ('z', 1), ('v', 500)", 220],
        ['update Entries set Amount = 500, Note = Code output inserted.Amount into #few', 220],
        ['delete Entries output 1 / (deleted.Amount - 7)', 8134],
        ["insert Entries (Code) output inserted.Amount into #few values ('kept')", 2627],
        ["insert Entries (Code) output inserted.Code into Events values ('z')", 330],
      ] as const) {
        await refused(change, number);
        assert.deepEqual(await rows('select Code, Amount, (select count(*) from #few) from Entries'), [['kept', 7, 0]]);
      }
      await client.batch('drop table #few');
    });

    test('UPDATE and DELETE may go through a common table expression or derived table', async () => {
      await client.batch("insert Entries (Code, Amount) values ('a', 1), ('b', 1), ('c', 2), ('d', 3)");
      const numbered = 'select Code, Amount, row_number() over (partition by Amount order by Code) as n from Entries';
      const { sets } = await client.batch(`
        with q as (${numbered}) delete q output deleted.Code, deleted.n where n > 1;
        update q set Amount += n from (select top (1) * from (${numbered}) as e order by Code desc) as q
        select Code, Amount from Ledger..Entries order by Id`);
      assert.deepEqual(sets, [
        [{ Code: 'b', n: '2' }],
        [
          { Code: 'a', Amount: 1 },
          { Code: 'c', Amount: 2 },
          { Code: 'd', Amount: 4 },
        ],
      ]);
      await refused('with q as (select Note from Events) update q set Note = null', 229);
      await refused('with q as (select e.Note from Entries as e, Pairs as p) update q set Note = null', 208);
      await refused('with q as (select * from sys.objects) delete q', 259);
    });

    test('IDENT_CURRENT and sys.identity_columns tell the last number of a table, whoever inserted and whatever was deleted', async () => {
      const told = `select ident_current('Entries') as here, ident_current(N'Ledger..' + name) as computed,
        ident_current('Ledger.dbo.Pairs') as without, cast(last_value as bigint) as last
        from sys.identity_columns where object_id = object_id('Entries')`;
      const [none] = (await client.batch(told)).sets[0] ?? [];
      assert.deepEqual(none, { here: 1, computed: null, without: null, last: null });
      await using other = await server.connect('master');
      await other.batch("insert Ledger..Entries (Code) values ('x'), ('y'), ('z')");
      await client.batch('delete Entries');
      assert.deepEqual(await rows(told), [[3, null, null, '3']]);
      const elsewhere =
        "select ident_current('Ledger.dbo.Entries') as a, ident_current('Entries') as b, ident_current('Nothing..Entries') as c";
      assert.deepEqual(
        (await other.batch(elsewhere)).sets[0]?.map((row) => Object.values(row)),
        [[3, null, null]],
      );
    });

    test('UPDATE and DELETE with FROM join other relations, temporary tables and the relation itself', async () => {
      const after = async (change: string) => rows(`${change} select Code, Amount from Entries order by Code`);
      await client.batch(`insert Entries (Code) values ('a'), ('b'), ('c')
        insert Pairs values ('A', 1, 10), ('c', 1, 30); create table #only (code nvarchar(10)); insert #only values ('c')`);
      assert.deepEqual(await after('update e set Amount = p.Value from Entries e join Pairs p on p.Name = e.Code'), [
        ['a', 10],
        ['b', 7],
        ['c', 30],
      ]);
      assert.deepEqual(
        await after('update e set Amount += f.Amount from Entries e join Entries f on f.Id = e.Id + 1'),
        [
          ['a', 17],
          ['b', 37],
          ['c', 30],
        ],
      );
      assert.deepEqual(await after('update Entries set Amount = 1 from #only o where o.code = Entries.Code'), [
        ['a', 17],
        ['b', 37],
        ['c', 1],
      ]);
      assert.deepEqual(
        await after('delete e from Entries e left join Pairs p on p.Name = e.Code where p.Name is null'),
        [
          ['a', 17],
          ['c', 1],
        ],
      );
      assert.deepEqual(await after('delete Entries from Pairs p where p.Name = Entries.Code and p.Value > 10.5'), [
        ['a', 17],
      ]);
      await client.batch('drop table #only');
    });

    test('INSERT takes the rows of a query, of the same table too, and of a procedure', async () => {
      await client.batch(
        "insert Entries (Code, Amount) select 'n' + convert(varchar, n), n from (values (1), (2), (3)) v(n)",
      );
      await client.batch("insert Entries (Code, Amount) select Code + '+', Amount * 10 from Entries where Amount > 1");
      await client.batch("insert Events exec sp_executesql N'select Code from Entries where Amount >= 20'");
      assert.deepEqual(await rows('select Code, Amount from Entries order by Id'), [
        ['n1', 1],
        ['n2', 2],
        ['n3', 3],
        ['n2+', 20],
        ['n3+', 30],
      ]);
      assert.deepEqual(await rows('select What from Events order by What'), [['n2+'], ['n3+']]);
    });

    test('many rows in one INSERT get their numbers in order', async () => {
      await client.batch(`
        with n as (select 1 as n union all select n + 1 from n where n < 1500)
        insert Entries (Code, Amount) select convert(varchar, n), n from n option (maxrecursion 0)`);
      assert.deepEqual(await rows('select count(*) as n, min(Id - Amount) as a, max(Id - Amount) as b from Entries'), [
        [1500, '0', '0'],
      ]);
    });

    const refusals: readonly [string, string, number, RegExp?][] = [
      [
        'NULL where none is allowed is 515',
        'insert Entries (Code) values (null)',
        515,
        /column 'Code', table 'Ledger\.dbo\.Entries'; .* INSERT fails\.$/,
      ],
      ['a column without a value is 515', 'insert Entries (Amount) values (1)', 515],
      ['a number that the engine gives is 544', "insert Entries (Id, Code) values (9, 'a')", 544],
      ['IDENTITY_INSERT is for owners: 1088', 'set identity_insert Entries on', 1088],
      [
        'text that is too long is 2628',
        "insert Entries (Code) values ('12345678901')",
        2628,
        /'Ledger\.dbo\.Entries', column 'Code'\. Truncated value: '1234567890'\.$/,
      ],
      [
        'bytes that are too long are 2628',
        "insert Entries (Code, Body) values ('a', 0x010203040506070809101112131415161718192021)",
        2628,
      ],
      ['text that is no number is 245', "insert Entries (Code, Amount) values ('a', 'x')", 245],
      ['a number that is too large is 8115', "insert Entries (Code, Amount) values ('a', 3000000000)", 8115],
      ['a column that is not there is 207', 'insert Entries (Nope) values (1)', 207],
      ['too few values are 109', "insert Entries (Code, Amount) values ('a')", 109],
      [
        'a table that is only read is 229',
        'insert Fixed values (1)',
        229,
        /INSERT permission was denied on the object 'Fixed'/,
      ],
      ['a change that is not declared is 229', "update Events set What = 'x'", 229, /UPDATE permission/],
      ['TRUNCATE that is not declared is 229', 'truncate table Pairs', 229, /ALTER permission/],
      ['the number cannot be updated: 8102', 'update Entries set Id = 5', 8102],
    ];
    for (const [rule, batch, number, message] of refusals) {
      test(`${rule}, and nothing is kept`, async () => {
        await refused(`${batch}`, number, message);
        assert.deepEqual(await rows('select (select count(*) from Entries) + (select count(*) from Pairs)'), [[0]]);
      });
    }

    test('a key that is there already is 2627, in a unique index 2601, and the statement leaves nothing', async () => {
      await client.batch("insert Entries (Code) values ('one'); insert Pairs values ('p', 1, 10)");
      await refused(
        "insert Entries (Code) values ('two'), ('ONE ')",
        2627,
        /^Violation of UNIQUE KEY constraint 'UQ_Entries'\. Cannot insert duplicate key in object 'dbo\.Entries'/,
      );
      await refused(
        "insert Pairs values ('q', 1, 20), ('P', 1, 30)",
        2627,
        /PRIMARY KEY constraint 'PK_Pairs'.* object 'dbo\.Pairs'/,
      );
      await refused(
        "insert Pairs values ('q', 1, 10)",
        2601,
        /in object 'dbo\.Pairs' with unique index 'pairs_by_value'/,
      );
      assert.deepEqual(await rows('select Code from Entries'), [['one']]);
      assert.deepEqual(await rows('select * from Pairs'), [['p', 1, 10]]);
    });

    for (const isOn of [true, false]) {
      const how = isOn ? ', in the engine where it can' : ', row by row';

      test(`UPDATE and DELETE change the rows that their conditions say, and tell how many and which${how}`, async (t) => {
        handOver(isOn, t);
        await client.batch("insert Entries (Code, Amount) values ('a', 1), ('b', 2), ('c', 3), ('d', 4)");
        const updated = await client.batch(`
        declare @by int = 10
        update Entries set Amount = Amount * @by, Note = Code output deleted.Amount as old, inserted.Amount as new, inserted.Id
        where Amount between 2 and 3 and Code like '[B-C]'`);
        assert.deepEqual(
          updated.sets[0]?.toSorted((one, other) => Number(one['Id']) - Number(other['Id'])),
          [
            { old: 2, new: 20, Id: '2' },
            { old: 3, new: 30, Id: '3' },
          ],
        );
        assert.equal(
          (await client.batch('update e set Amount = 0 from Entries e join (values (4)) v(n) on v.n = e.Amount'))
            .rowCount,
          1,
        );
        assert.equal((await client.batch("delete from Entries where Code in ('A', 'x')")).rowCount, 1);
        assert.equal((await client.batch('delete top (1) Entries where Amount = 20')).rowCount, 1);
        assert.deepEqual(await rows('select Id, Code, Amount, Note from Entries order by Id'), [
          ['3', 'c', 30, 'c'],
          ['4', 'd', 0, null],
        ]);
      });

      test(`a subquery sees the whole table as it was before the statement${how}`, async (t) => {
        handOver(isOn, t);
        await client.batch("insert Entries (Code, Amount) values ('a', 1), ('b', 20), ('c', 30)");
        await client.batch("update Entries set Amount = (select max(Amount) from Entries) + 1 where Code = 'a'");
        await client.batch(
          "update Entries set Amount = Amount + (select count(*) from Ledger.dbo.Entries) where Code like 'b%'",
        );
        assert.deepEqual(await rows('select Amount from Entries order by Id'), [[31], [23], [30]]);
        await client.batch("delete Entries where Code like 'c%' and Amount < (select max(Amount) from Entries)");
        await client.batch(
          "delete Entries where Code = 'b' and exists (select 1 from Entries e where e.Amount > Entries.Amount)",
        );
        assert.deepEqual(await rows('select Code from Entries'), [['a']]);
      });

      test(`an UPDATE may swap keys; one that would make two alike is 2627 and changes nothing${how}`, async (t) => {
        handOver(isOn, t);
        await client.batch("insert Pairs values ('a', 1, 1), ('a', 2, 2), ('b', 1, 3)");
        await client.batch("update Pairs set Number = 3 - Number where Name = 'A'");
        assert.deepEqual(await rows('select * from Pairs order by Value'), [
          ['a', 2, 1],
          ['a', 1, 2],
          ['b', 1, 3],
        ]);
        await refused('update Pairs set Number = 1', 2627);
        await refused('update Pairs set Value = null, Name = null', 515);
        assert.deepEqual(await rows('select * from Pairs order by Value'), [
          ['a', 2, 1],
          ['a', 1, 2],
          ['b', 1, 3],
        ]);
      });

      test(`an UPDATE to values that are the same for all rows sets keys too, and NULL fails only where there is a row${how}`, async (t) => {
        handOver(isOn, t);
        await client.batch("insert Pairs values ('a', 1, 1), ('b', 2, 2), ('c', 3, 3)");
        const set =
          "declare @n nvarchar(20) = N'Zoë', @v int = 9 update Pairs set Name = @n, Value = @v where Number = 3 or Name = 'C'";
        assert.deepEqual((await client.batch(`${set} select @@rowcount as n`)).sets, [[{ n: 1 }]]);
        assert.deepEqual(await rows("select * from Pairs where Name = N'ZOË'"), [['Zoë', 3, 9]]);
        assert.equal((await client.batch('update Pairs set Name = null where Number = 77')).rowCount, 0);
        await refused('update Pairs set Name = null where Number = 1', 515, /UPDATE fails/);
        await refused("update Pairs set Name = 'a', Number = 1 where Number = 2", 2627);
        await refused("update Pairs set Name = '123456789012345678901'", 2628);
        assert.equal(
          (await client.batch('delete Pairs where Value > 1 and Number <> 3 select @@rowcount')).sets[0]?.length,
          1,
        );
        assert.deepEqual(await rows('select Name, Number from Pairs order by Number'), [
          ['a', 1],
          ['Zoë', 3],
        ]);
      });
    }

    test('rows without a key of their own are deleted one by one', async () => {
      await client.batch("insert Events values ('x'), ('x'), ('y')");
      assert.equal((await client.batch("delete top (1) from Events where What = 'x'")).rowCount, 1);
      assert.deepEqual(await rows('select What from Events order by What'), [['x'], ['y']]);
    });

    test('TRUNCATE empties a table, and numbers begin with 1 again', async () => {
      await client.batch(
        "insert Entries (Code) values ('a'), ('b'); truncate table Entries; insert Entries (Code) values ('c')",
      );
      assert.deepEqual(await rows('select Id, Code from Entries'), [['1', 'c']]);
    });

    test("changes are part of the client's transaction, and a statement that fails is not", async () => {
      await client.batch("begin tran; insert Entries (Code) values ('a'); insert Pairs values ('p', 1, 1)");
      await refused("insert Entries (Code) values ('b'), ('a')", 2627);
      await client.batch(
        "update Entries set Amount = 5; delete Pairs; save tran s; insert Entries (Code) values ('c'); rollback tran s",
      );
      assert.deepEqual(await rows('select Code, Amount from Entries'), [['a', 5]]);
      const other = await server.connect('Ledger');
      assert.deepEqual((await other.batch('select count(*) as n from Entries')).sets, [[{ n: 0 }]]);
      await client.batch('rollback');
      assert.deepEqual(await rows('select (select count(*) from Entries) + (select count(*) from Pairs)'), [[0]]);
      await client.batch(
        "set implicit_transactions on; insert Entries (Code) values ('i'); rollback; set implicit_transactions off",
      );
      assert.deepEqual(await rows('select count(*) from Entries'), [[0]]);
    });

    test('changes need the role writer: 229', async () => {
      const { accounts } = server.granary;
      await accounts.create('reader', 'Reader-Pass-1');
      await accounts.grant('reader', { database: 'Ledger', role: 'reader' });
      const config = server.config('Ledger');
      const reader = await TestClient.open({
        ...config,
        authentication: { type: 'default', options: { userName: 'reader', password: 'Reader-Pass-1' } },
      });
      await client.batch("insert Entries (Code) values ('a')");
      for (const [batch, right] of [
        ["insert Entries (Code) values ('b')", 'INSERT'],
        ['update Entries set Amount = 1', 'UPDATE'],
        ['delete Entries', 'DELETE'],
        ['truncate table Entries', 'ALTER'],
        ['insert bulk Entries (Code nvarchar(10))', 'INSERT'],
      ] as const) {
        await assert.rejects(reader.batch(batch), { number: 229, message: new RegExp(`The ${right} permission`) });
      }
      assert.deepEqual((await reader.batch('select Code from Entries')).sets, [[{ Code: 'a' }]]);
      await reader[Symbol.asyncDispose]();
    });
  });
});
