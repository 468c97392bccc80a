import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TYPES } from 'tedious';
import type { TestClient } from '../../support/client.ts';
import { startServer, type TestServer } from '../../support/server.ts';

describe('tempdb', () => {
  let server: TestServer;
  let one: TestClient;
  let other: TestClient;
  before(async () => {
    server = await startServer({ kinds: [] });
    one = await server.connect('tempdb');
    other = await server.connect('tempdb');
  });
  after(() => server[Symbol.asyncDispose]());
  const count = async (client: TestClient, table: string) =>
    (await client.batch(`select count(*) as n from ${table}`)).sets[0]?.[0]?.['n'];

  test('an administrator’s table is seen by all sessions, from every database', async () => {
    await one.batch('create table grain (id int not null primary key, name nvarchar(20))');
    await one.batch("insert grain values (1, N'🌾'), (2, null)");
    assert.deepEqual((await other.batch('select * from grain where id = 1')).sets, [[{ id: 1, name: '🌾' }]]);
    const elsewhere = await server.connect('master');
    assert.equal(await count(elsewhere, 'tempdb..grain'), 2);
    assert.equal(await count(elsewhere, 'tempdb.dbo.grain'), 2);
    await assert.rejects(elsewhere.batch('select * from grain'), { number: 208 });
    await assert.rejects(elsewhere.batch('create table grain (id int)'), { number: 262 });
  });

  test('no two rows have the same rowversion, whoever wrote them, and @@DBTS is the last', async () => {
    await one.batch('create table versions (n int, v rowversion) insert versions (n) values (1), (2)');
    await other.batch('insert versions (n) values (3) update versions set n = n where n = 1');
    const told = await one.batch('select count(distinct v) as n, iif(max(v) = @@dbts, 1, 0) as last from versions');
    assert.deepEqual(told.sets, [[{ n: 3, last: 1 }]]);
  });

  test('what a transaction has changed waits for its end, and a rollback takes it back', async () => {
    await one.batch('create table held (id int primary key)');
    await one.batch('begin transaction insert held values (1)');
    await assert.rejects(other.batch('set lock_timeout 0 select * from held'), { number: 1222 });
    await assert.rejects(other.batch('insert held values (2)'), { number: 1222 });
    await other.batch('set lock_timeout -1');
    const waiting = count(other, 'held');
    await one.batch('rollback transaction');
    assert.equal(await waiting, 0);
    await other.batch('insert held values (2)');
    assert.equal(await count(one, 'held'), 1);
  });

  describe('SET TRANSACTION ISOLATION LEVEL', () => {
    const change = "update levels set t = 'second' where n = 1";
    const insert = "insert levels values (2, 'initial')";
    const levels = [
      ['read uncommitted', { dirty: true, nonRepeatable: true, phantom: true }],
      ['read committed', { dirty: false, nonRepeatable: true, phantom: true }],
      ['repeatable read', { dirty: false, nonRepeatable: false, phantom: true }],
      ['serializable', { dirty: false, nonRepeatable: false, phantom: false }],
    ] as const;
    before(async () => {
      await one.batch("create table levels (n int primary key, t varchar(20)) insert levels values (1, 'initial')");
      for (const client of [one, other]) await client.batch('set lock_timeout 0');
    });
    after(async () => {
      for (const client of [one, other]) await client.batch('set lock_timeout -1');
      await other.batch('set transaction isolation level read committed');
    });
    const passes = async (client: TestClient, text: string) => {
      try {
        await client.batch(text);
        return true;
      } catch (error) {
        assert.equal((error as { number?: number }).number, 1222);
        return false;
      }
    };
    /** Whether others may change a table that `other` has read in its transaction. */
    const isOpenTo = async (text: string, read: string) => {
      await other.batch(`begin transaction ${read}`);
      const passed = await passes(one, `begin transaction ${text} rollback transaction`);
      await one.batch('if @@trancount > 0 rollback transaction');
      await other.batch('rollback transaction');
      return passed;
    };

    for (const [level, expected] of levels) {
      test(`${level}: ${JSON.stringify(expected)}`, async () => {
        await other.batch(`set transaction isolation level ${level}`);
        await one.batch(`begin transaction ${change}`);
        const dirty = await passes(other, 'select * from levels');
        if (dirty) assert.deepEqual((await other.batch('select t from levels')).sets, [[{ t: 'second' }]]);
        await one.batch('rollback transaction');
        const nonRepeatable = await isOpenTo(change, 'select * from levels');
        const phantom = await isOpenTo(insert, 'select * from levels');
        assert.deepEqual({ dirty, nonRepeatable, phantom }, expected);
      });
    }

    test('a hint at the table counts more than the level', async () => {
      await other.batch('set transaction isolation level read committed');
      assert.equal(await isOpenTo(insert, 'select * from levels with (holdlock)'), false);
      assert.equal(await isOpenTo(change, 'select * from levels with (repeatableread)'), false);
      assert.equal(await isOpenTo(insert, 'select * from levels as l (repeatableread)'), true);
      assert.equal(await isOpenTo('select * from levels', 'select * from levels with (tablockx)'), false);
      assert.equal(await isOpenTo('select * from levels with (nolock)', 'select * from levels with (xlock)'), true);
      assert.equal(await isOpenTo('select * from levels', 'select * from levels with (updlock)'), true);
      assert.equal(await isOpenTo('select * from levels with (updlock)', 'select * from levels with (updlock)'), false);
    });

    test('a lock that a hint asks for is waited for outside of a transaction too', async () => {
      await one.batch('begin transaction select * from levels with (updlock)');
      assert.equal(await passes(other, 'select * from levels with (updlock)'), false);
      assert.equal(await passes(other, 'select * from levels'), true);
      await one.batch('rollback transaction');
      assert.equal(await passes(other, 'select * from levels with (updlock)'), true);
    });

    test('a change that had to give up leaves the table to others', async () => {
      await other.batch('set transaction isolation level repeatable read begin transaction select * from levels');
      assert.equal(await passes(one, `begin transaction ${change}`), false);
      assert.equal(await passes(other, insert), true);
      await other.batch('rollback transaction');
      await one.batch('if @@trancount > 0 rollback transaction');
    });

    test('FETCH shows nothing that another has not committed, and SCROLL_LOCKS keeps others from locking too', async () => {
      await other.batch('set transaction isolation level read committed');
      await other.batch('declare c cursor global for select t from levels open c');
      await one.batch(`begin transaction ${change}`);
      assert.equal(await passes(other, 'fetch c'), false);
      await one.batch('rollback transaction');
      assert.deepEqual((await other.batch('fetch c')).sets, [[{ t: 'initial' }]]);
      await other.batch('close c deallocate c');
      const open = 'declare c cursor local scroll_locks for select t from levels open c';
      assert.equal(await isOpenTo('select * from levels with (updlock)', open), false);
      assert.equal(await isOpenTo(change, open), false);
    });

    test('outside of a transaction nothing is kept', async () => {
      await other.batch('set transaction isolation level serializable select * from levels');
      assert.equal(await passes(one, `begin transaction ${change} rollback transaction`), true);
    });

    test('a global temporary table that another has changed waits too', async () => {
      await one.batch('create table ##seen (n int) begin transaction insert ##seen values (1)');
      await other.batch('set transaction isolation level read committed');
      assert.equal(await passes(other, 'select * from ##seen'), false);
      await one.batch('rollback transaction drop table ##seen');
    });
  });

  test('two transactions that wait for each other: one hears 1205, the other goes on', async () => {
    await one.batch('create table left_hand (id int) create table right_hand (id int)');
    await one.batch('begin transaction insert left_hand values (1)');
    await other.batch('begin transaction insert right_hand values (1)');
    const waiting = one.batch('insert right_hand values (2)');
    await assert.rejects(other.batch('insert left_hand values (2)'), { number: 1205 });
    await other.batch('if @@trancount > 0 rollback transaction');
    await waiting;
    await one.batch('commit transaction');
    assert.equal(await count(other, 'right_hand'), 1);
  });

  test('a client that vanishes leaves neither a change nor a lock', async () => {
    await one.batch('create table kept (id int)');
    const lost = await server.connect('tempdb');
    await lost.batch('begin transaction insert kept values (1)');
    const waiting = count(other, 'kept');
    await lost[Symbol.asyncDispose]();
    assert.equal(await waiting, 0);
  });

  test('a procedure is called by batch and by RPC', async () => {
    await one.batch('create procedure twice @n int, @double int output as set @double = @n * 2 return 7');
    const { status, output } = await other.rpc('twice', [
      { name: 'n', type: TYPES.Int, value: 21 },
      { name: 'double', type: TYPES.Int, value: null, output: true },
    ]);
    assert.deepEqual([status, output], [7, { double: 42 }]);
    await one.batch('drop procedure twice');
    await assert.rejects(other.rpc('twice'), { number: 2812 });
  });

  test('a procedure is listed with its parameters and its text, for all sessions; a temporary one for its own', async () => {
    const rows = async (client: TestClient, batch: string) => (await client.batch(batch)).sets[0] ?? [];
    const definition = 'CREATE  procedure made_here(@when datetime, @many int = 3 output) as select @when as w';
    await one.batch(`-- before it\n${definition}`);
    const parameters = await other.rpc('sp_sproc_columns', [
      { name: 'procedure_name', type: TYPES.NVarChar, value: 'made[_]here' },
    ]);
    assert.deepEqual(
      parameters.sets[0]?.map((row) => [row['COLUMN_NAME'], row['COLUMN_TYPE'], row['TYPE_NAME']]),
      [
        ['@RETURN_VALUE', 5, 'int'],
        ['@when', 1, 'datetime'],
        ['@many', 2, 'int'],
      ],
    );
    const query =
      "select p.name, m.definition from sys.procedures p join sys.sql_modules m on m.object_id = p.object_id where p.name like '%made_here'";
    assert.deepEqual(await rows(other, query), [{ name: 'made_here', definition: definition.replace('  ', ' ') }]);
    assert.deepEqual(
      (await rows(other, "exec sp_helptext 'made_here'")).map((row) => String(row['Text']).trimEnd()),
      [definition.replace('  ', ' ')],
    );
    assert.deepEqual(
      (await rows(other, "exec sp_describe_first_result_set N'exec made_here null'")).map((row) => row['name']),
      ['w'],
    );
    await one.batch('alter procedure made_here as select 1');
    assert.deepEqual(await rows(other, query), [
      { name: 'made_here', definition: 'CREATE procedure made_here as select 1' },
    ]);
    await one.batch('drop procedure made_here');
    await one.batch('create procedure #made_here as select 1');
    assert.equal((await rows(one, query)).length, 1);
    assert.equal((await rows(other, query)).length, 0);
  });

  test('the catalog tells of identity, defaults, computed columns, keys and indexes', async () => {
    await one.batch(`create table listed (
      id int identity(5, 2) not null, code char(3) not null default 'abc', n decimal(5,2) default -1.5, w varchar(5) default word,
      d datetime null default (getdate()), twice as id * 2, v timestamp,
      constraint pk_listed primary key (code, id), constraint uq_listed unique (n))
      create index by_w on listed (w desc)`);
    const shown = async (batch: string, ...names: readonly string[]) =>
      ((await other.batch(batch)).sets[0] ?? []).map((row) => names.map((name) => row[name]));
    const columns = ['COLUMN_NAME', 'TYPE_NAME', 'COLUMN_DEF', 'SS_IS_IDENTITY', 'SS_IS_COMPUTED'];
    assert.deepEqual(await shown("exec sp_columns_100 'listed'", ...columns), [
      ['id', 'int identity', null, 1, 0],
      ['code', 'char', "('abc')", 0, 0],
      ['n', 'decimal', '((-1.5))', 0, 0],
      ['w', 'varchar', "('word')", 0, 0],
      ['d', 'datetime', '(getdate())', 0, 0],
      ['twice', 'int', null, 0, 1],
      ['v', 'timestamp', null, 0, 0],
    ]);
    assert.deepEqual(await shown("exec sp_pkeys 'listed'", 'COLUMN_NAME', 'KEY_SEQ', 'PK_NAME'), [
      ['code', 1, 'pk_listed'],
      ['id', 2, 'pk_listed'],
    ]);
    const statistics = ['INDEX_NAME', 'TYPE', 'NON_UNIQUE', 'COLUMN_NAME'];
    assert.deepEqual(await shown("exec sp_statistics 'listed'", ...statistics), [
      [null, 0, null, null],
      ['pk_listed', 1, 0, 'code'],
      ['pk_listed', 1, 0, 'id'],
      ['uq_listed', 3, 0, 'n'],
      ['by_w', 3, 1, 'w'],
    ]);
    assert.deepEqual(await shown("exec sp_statistics 'listed', @is_unique = 'Y', @index_name = 'uq%'", 'INDEX_NAME'), [
      [null],
      ['uq_listed'],
    ]);
    assert.deepEqual(await shown("exec sp_special_columns 'listed'", 'COLUMN_NAME', 'SCOPE'), [
      ['id', 2],
      ['code', 2],
    ]);
    assert.deepEqual(await shown("exec sp_special_columns 'listed', @col_type = 'V'", 'COLUMN_NAME'), [['v']]);
    assert.deepEqual(await shown("exec sp_helpindex 'listed'", 'index_name', 'index_description', 'index_keys'), [
      ['by_w', 'nonclustered located on PRIMARY', 'w(-)'],
      ['pk_listed', 'clustered, unique, primary key located on PRIMARY', 'code, id'],
      ['uq_listed', 'nonclustered, unique, unique key located on PRIMARY', 'n'],
    ]);
    assert.deepEqual((await other.batch("exec sp_helpindex 'sysusers'")).sets, []);
    await assert.rejects(other.batch("exec sp_helpindex 'nothing'"), { number: 15009 });
    assert.deepEqual(
      await shown(
        `select i.name, i.index_id, i.type_desc, k.type from sys.indexes i left join sys.key_constraints k
           on k.parent_object_id = i.object_id and k.unique_index_id = i.index_id
         where i.object_id = object_id('listed') order by i.index_id`,
        'name',
        'type_desc',
        'type',
      ),
      [
        ['pk_listed', 'CLUSTERED', 'PK'],
        ['uq_listed', 'NONCLUSTERED', 'UQ'],
        ['by_w', 'NONCLUSTERED', null],
      ],
    );
    assert.deepEqual((await other.batch("exec sp_help 'listed'")).sets[2], [
      { Identity: 'id', Seed: 5, Increment: 2, 'Not For Replication': 0 },
    ]);
    await one.batch('insert listed (n) values (1)');
    assert.deepEqual(await shown('select w, n from listed', 'w'), [['word']]);
    await one.batch('drop table listed');
  });

  test('sp_fkeys tells which columns refer to which', async () => {
    await one.batch(
      `create table mills (id int constraint pk_mills primary key)
       create table sacks (mill int constraint fk_mill references mills (id) on delete cascade)`,
    );
    const { sets } = await other.batch("exec sp_fkeys 'mills'; exec sp_fkeys @fktable_name = 'mills'");
    const [row] = sets[0] ?? [];
    const names = ['PKTABLE_NAME', 'PKCOLUMN_NAME', 'FKTABLE_NAME', 'FKCOLUMN_NAME', 'FK_NAME', 'PK_NAME'];
    assert.deepEqual(
      names.map((name) => row?.[name]),
      ['mills', 'id', 'sacks', 'mill', 'fk_mill', 'pk_mills'],
    );
    assert.deepEqual([row?.['DELETE_RULE'], row?.['UPDATE_RULE'], row?.['DEFERRABILITY']], [0, 1, 7]);
    assert.deepEqual(sets[1], []);
    assert.deepEqual((await other.batch("exec sp_fkeys 'mills', ''")).sets[0], sets[0], 'no schema is any');
    await assert.rejects(other.batch("exec sp_fkeys 'mills', null, ''"), { number: 15250 });
    await one.batch('drop table sacks, mills');
  });

  test('a foreign key is listed with the key that it refers to, be it a constraint or an index', async () => {
    await one.batch(`create table owner (a int constraint owner_key primary key, b int)
                     create unique index owner_b on owner (b)
                     create table owned (a int constraint by_key references owner (a),
                                         b int constraint by_index references owner (b))`);
    const { sets } = await one.batch(
      `select constraint_name as fk, unique_constraint_schema as s, unique_constraint_name as pk
       from information_schema.referential_constraints where constraint_name like 'by[_]%' order by fk`,
    );
    assert.deepEqual(sets, [
      [
        { fk: 'by_index', s: 'dbo', pk: 'owner_b' },
        { fk: 'by_key', s: 'dbo', pk: 'owner_key' },
      ],
    ]);
    await one.batch('drop table owned, owner');
  });

  test('a bare word is the default of a parameter', async () => {
    await one.batch('create procedure #worded @a varchar(10) = XYZ out, @n int = -3 as select @a as a, @n as n');
    assert.deepEqual((await one.batch('exec #worded')).sets, [[{ a: 'XYZ', n: -3 }]]);
  });

  test('a global temporary table ends with the session that made it', async () => {
    const maker = await server.connect('master');
    await maker.batch('create table ##shared (id int) insert ##shared values (1)');
    assert.equal(await count(other, '##shared'), 1);
    await maker[Symbol.asyncDispose]();
    await assert.rejects(other.batch('select * from ##shared'), { number: 208 });
  });

  test('one that was dropped is nobody’s: the next of that name ends with the session that made that', async () => {
    const [first, second] = [await server.connect('master'), await server.connect('master')];
    await first.batch('create table ##again (id int) drop table ##again');
    await second.batch('create table ##again (id int) insert ##again values (1)');
    await first[Symbol.asyncDispose]();
    assert.equal(await count(other, '##again'), 1);
    await second.batch('begin transaction drop table ##again rollback transaction alter table ##again add n int');
    await second[Symbol.asyncDispose]();
    await assert.rejects(other.batch('select * from ##again'), { number: 208 });
  });

  test('a dropped table is gone, or back again after a rollback', async () => {
    await one.batch('create table brief (id int)');
    await one.batch('begin transaction drop table brief rollback transaction');
    assert.equal(await count(one, 'brief'), 0);
    await one.batch('drop table brief');
    await assert.rejects(other.batch('select * from brief'), { number: 208 });
  });
});
