import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { TestClient } from '../../support/client.ts';
import { startServer, type TestServer } from '../../support/server.ts';

describe('views of tempdb', () => {
  let server: TestServer;
  let one: TestClient;
  let other: TestClient;
  let elsewhere: TestClient;
  before(async () => {
    server = await startServer({ kinds: [] });
    one = await server.connect('tempdb');
    other = await server.connect('tempdb');
    elsewhere = await server.connect('master');
    await one.batch('create table goats (id int not null primary key, name nvarchar(20), milk decimal(5, 2))');
    await one.batch("insert goats values (1, N'Ada', 2.5), (2, N'Bo', 1.25), (3, N'Cleo', null)");
  });
  after(() => server[Symbol.asyncDispose]());
  const rows = async (client: TestClient, query: string) => (await client.batch(query)).sets[0];
  const names = async (client: TestClient, query: string) => (await rows(client, query))?.map(({ name }) => name);
  const refused = (text: string, number: number, client = one) => assert.rejects(client.batch(text), { number });
  /** The numbers of an error and of its causes, with the view that each is about. */
  const errorsOf = async (text: string): Promise<readonly unknown[]> => {
    const error: unknown = await one.batch(text).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert(error instanceof Error);
    const all = 'errors' in error && Array.isArray(error.errors) ? error.errors : [error];
    return all.map(({ number, procName }) => [number, procName]);
  };

  test('a view is queried as its SELECT would be, by all sessions and from every database', async () => {
    await one.batch('create view milkers (number, name) as select id, name from goats where milk is not null;');
    assert.deepEqual(await rows(other, 'select * from milkers order by number desc'), [
      { number: 2, name: 'Bo' },
      { number: 1, name: 'Ada' },
    ]);
    assert.deepEqual(await names(elsewhere, 'select m.name from tempdb..milkers m where m.number = 2'), ['Bo']);
    const joined = 'select g.name from goats g left join dbo.milkers on milkers.number = g.id where number is null';
    assert.deepEqual(await names(one, joined), ['Cleo']);
    const inside = 'select name from goats g where exists (select 1 from milkers where number = g.id and g.id > 1)';
    assert.deepEqual(await names(one, inside), ['Bo']);
    await refused('select * from milkers', 208, elsewhere);
    await other.batch("insert goats values (4, N'Dot', 3)");
    assert.deepEqual(await names(one, 'select name from milkers where number = 4'), ['Dot']);
    await other.batch('delete goats where id = 4 drop view milkers');
    await refused('select * from milkers', 208);
  });

  test('a statement may change what it reads through a view, and a hint at the view counts for what it reads', async () => {
    await one.batch(
      "create table kids (id int identity, name nvarchar(20)) insert kids (name) values (N'Fay'), (N'Gus')",
    );
    await one.batch('create view young as select id, name from kids');
    await one.batch('insert kids (name) select name from young');
    assert.equal((await rows(one, 'select id from young'))?.length, 4);
    await one.batch('delete kids where id in (select max(id) from young)');
    await one.batch("begin transaction update kids set name = N'Hal' from kids join young on young.id = kids.id");
    await assert.rejects(other.batch('set lock_timeout 0 select name from young'), { number: 1222 });
    assert.deepEqual(await names(other, 'select distinct name from young with (nolock)'), ['Hal']);
    await other.batch('set lock_timeout -1');
    await one.batch('rollback drop view young drop table kids');
  });

  test('names in it are those of its schema, then of dbo, and no CTE of who queries it', async () => {
    await one.batch("create schema pen create table pen.goats (name nvarchar(20)) insert pen.goats values (N'Eve')");
    await one.batch('create view pen.inside as select name from goats');
    await one.batch("create view listed as select name from sys.tables where name = 'goats'");
    assert.deepEqual(await names(elsewhere, 'select name from tempdb.dbo.listed'), ['goats', 'goats']);
    await one.batch('create view outside as with goats2 as (select name from goats) select name from goats2');
    assert.deepEqual(await names(elsewhere, 'select name from tempdb.pen.inside'), ['Eve']);
    assert.deepEqual(await names(elsewhere, 'select name from tempdb.dbo.outside order by name'), [
      'Ada',
      'Bo',
      'Cleo',
    ]);
    const shadowed =
      "with goats as (select N'None' as name) select name from pen.inside union all select name from goats";
    assert.deepEqual(await names(one, shadowed), ['Eve', 'None']);
    await refused('drop schema pen', 3729);
    await one.batch('drop view pen.inside, outside, listed drop table pen.goats drop schema pen');
  });

  test('CREATE VIEW refuses what SQL Server refuses', async () => {
    const wrong: readonly (readonly [string, number])[] = [
      ['select 1 create view v as select 1 as a', 111],
      ['if 1 = 1 create view v as select 1 as a', 111],
      ['create procedure p as alter view v as select 1 as a', 111],
      ['create view v as select 1 as a, 2 as A', 4506],
      ['create view v as select id, id + 1 from goats', 4511],
      ['create view v (a) as select 1, 2', 8158],
      ['create view v (a, b, c) as select 1, 2', 4502],
      ['create view v as select id from goats order by id', 1033],
      ['create view v as select id from nowhere', 208],
      ['create view v as select nothing from goats', 207],
      ['create view v as select @a as a', 137],
      ['create view v as select id into x from goats', 156],
      ['create view v as select id from goats option (maxrecursion 5)', 156],
      ['create view v as select 1 as a select 2 as b', 156],
      ['create view v with recompile as select 1 as a', 102],
      ['create view tempdb.dbo.v as select 1 as a', 166],
      ['create view nowhere.v as select 1 as a', 2760],
      ['create view #v as select 1 as a', 4103],
      ['create view goats as select 1 as a', 2714],
      ['alter view v as select 1 as a', 208],
      ['create view v with schemabinding as select id from goats', 4512],
      ['create view v with schemabinding as select * from dbo.goats', 1054],
      ['drop view v', 3701],
      ['drop view goats', 3705],
      ['drop view tempdb.dbo.v', 166],
    ];
    for (const [text, number] of wrong) await refused(text, number);
    await one.batch('create table #t (a int)');
    await refused('create view v as select a from #t', 4508);
    await refused('create view v as select 1 as a', 262, elsewhere);
    assert.deepEqual(await names(one, "select name from sys.objects where name in ('v', 'x', 'p')"), []);
    await one.batch('drop view if exists v drop table #t');
  });

  test('the name of a view is taken, and its kind decides how it is dropped', async () => {
    await one.batch('create view taken as select top 1 name from goats order by id desc');
    assert.deepEqual(await names(one, 'select name from taken'), ['Cleo']);
    await refused('create view taken as select 1 as a', 2714);
    await refused('create table taken (a int)', 2714);
    await refused('create procedure taken as select 1', 2714);
    await refused('drop table taken', 3705);
    await refused('drop procedure if exists taken', 3705);
    await one.batch('drop view taken');
  });

  test('ALTER VIEW and CREATE OR ALTER VIEW replace its query and keep its number', async () => {
    await one.batch('create or alter view changing as select 1 as a');
    const [before] = (await rows(one, "select object_id('changing', 'V') as id")) ?? [];
    await one.batch('alter view changing as select 2 as b, 3 as c');
    await refused('alter view changing as select nothing', 207);
    assert.deepEqual(await rows(one, 'select * from changing'), [{ b: 2, c: 3 }]);
    await one.batch('create or alter view changing as select 4 as d');
    assert.deepEqual(await rows(one, "select d, object_id('dbo.changing') as id from changing"), [{ d: 4, ...before }]);
    await one.batch('drop view changing');
  });

  test('a rollback takes back what was made, changed or dropped', async () => {
    await one.batch('create view kept as select 1 as a');
    await one.batch('begin transaction drop view kept');
    await one.batch('create view kept as select 2 as a');
    await one.batch('alter view kept as select 3 as a');
    await one.batch('rollback');
    assert.deepEqual(await rows(one, 'select a from kept'), [{ a: 1 }]);
    await one.batch('drop view kept');
  });

  test('what a view reads may have gone: the cause, and 4413', async () => {
    await one.batch('create table hay (a int, b int) insert hay values (1, 2)');
    await one.batch('create view bales as select * from hay');
    await one.batch('create view stacks as select a from bales');
    await one.batch('alter table hay add c int');
    assert.deepEqual(await rows(one, 'select * from bales'), [{ a: 1, b: 2 }]);
    await one.batch('alter table hay drop column b, c');
    assert.deepEqual(await errorsOf('select * from bales'), [[4502, '']]);
    await one.batch('drop table hay');
    assert.deepEqual(await errorsOf('select * from stacks'), [
      [208, 'bales'],
      [4413, ''],
    ]);
    await one.batch('create table hay (a int, b int)');
    assert.deepEqual(await rows(one, 'select * from stacks'), []);
    await one.batch('drop view stacks, bales drop table hay');
  });

  test('what a view WITH SCHEMABINDING reads stays', async () => {
    await one.batch('create table oats (a int)');
    await one.batch('create view dbo.sacks with schemabinding, view_metadata as select a from dbo.oats');
    await one.batch('create view dbo.carts with schemabinding as select a from dbo.sacks');
    await refused('drop table oats', 3729);
    await refused('drop view sacks', 3729);
    await one.batch('drop view carts, sacks drop table oats');
  });

  test('views are nested 32 deep at most, not in themselves, and what each reads twice is refused in time', async () => {
    await one.batch('create view n1 as select 1 as a');
    for (let at = 2; at <= 32; at++) await one.batch(`create view n${at} as select a from n${at - 1}`);
    assert.deepEqual(await rows(one, 'select a from n32'), [{ a: 1 }]);
    await refused('create view n33 as select a from n32', 217);
    await refused('alter view n2 as select a from n5', 4429);
    const doubled = async () => {
      for (let at = 2; at <= 32; at++)
        await one.batch(`alter view n${at} as select x.a from n${at - 1} x join n${at - 1} y on y.a = x.a`);
    };
    await assert.rejects(doubled(), { number: 8623 });
    await one.batch(`drop view ${Array.from({ length: 32 }, (_, at) => `n${at + 1}`).join(', ')}`);
  });

  test('rows are changed through a view, under its names of their columns', async () => {
    await one.batch('create table hens (id int identity primary key, name nvarchar(20), eggs int)');
    await one.batch('create view layers (number, called, laid) as select id, name, eggs from hens where eggs > 0');
    await one.batch('create view best as with top_of as (select * from layers) select called, laid from top_of');
    await one.batch("insert layers (called, laid) values (N'Ida', 3), (N'Joy', 5)");
    const { sets } = await elsewhere.batch("insert into tempdb..best output inserted.called values (N'Kit', 7)");
    assert.deepEqual(sets, [[{ called: 'Kit' }]]);
    await one.batch("update best set laid = laid + 1 where called = N'Kit'");
    await one.batch(
      "update l set laid = 0 from dbo.layers l join goats on goats.id = l.number where goats.name = N'Ada'",
    );
    await one.batch("delete dbo.layers where number = 1 or called = N'Joy'");
    const left = [
      { id: 1, name: 'Ida', eggs: 0 },
      { id: 3, name: 'Kit', eggs: 8 },
    ];
    assert.deepEqual(await rows(one, 'select * from hens order by id'), left);
    await one.batch('create view every as select * from hens');
    await one.batch('alter table hens add feathers int');
    await one.batch("update every set name = N'Lea', eggs = 9 where id = 3");
    assert.deepEqual(await rows(one, 'select name, eggs, feathers from hens where id = 3'), [
      { name: 'Lea', eggs: 9, feathers: null },
    ]);
    await refused('update every set feathers = 1', 207);
    await one.batch('drop view best, layers, every drop table hens');
  });

  test('what SQL Server does not change through a view stays', async () => {
    await one.batch('create view both as select g.id, h.name from goats g join goats h on h.id = g.id');
    await one.batch('create view few as select distinct name from goats');
    await one.batch('create view either as select name from goats union all select name from goats');
    await one.batch('create view worked as select id, milk * 2 as twice from goats');
    await refused('delete both', 4405);
    await refused("update both set id = 5, name = N'x'", 4405);
    await refused("insert few values (N'x')", 4403);
    await refused("update either set name = N'x'", 4426);
    await refused('update worked set twice = 1', 4406);
    await refused('truncate table worked', 4708);
    await one.batch("update both set name = N'Bee' where id = 2");
    assert.deepEqual(await names(one, 'select name from goats where id = 2'), ['Bee']);
    await one.batch("update goats set name = N'Bo' where id = 2 drop view both, few, either, worked");
  });

  test('sys.sql_expression_dependencies and VIEW_TABLE_USAGE tell what views read', async () => {
    await one.batch('create view inner_view as select id from dbo.goats');
    await one.batch(
      'create view outer_view as with c as (select id from goats) select c.id from c join Inner_View i on i.id = c.id where exists (select 1 from master.sys.objects) and c.id in (select id from goats)',
    );
    const { sets } =
      await one.batch(`select object_name(referencing_id) as [from], referenced_database_name as [database],
        referenced_schema_name as [schema], referenced_entity_name as name, object_name(referenced_id) as found,
        is_schema_bound_reference as bound, referenced_class_desc as class
      from sys.sql_expression_dependencies where referencing_id in (object_id('inner_view'), object_id('outer_view'))
      order by 1, 4`);
    const facts = { bound: false, class: 'OBJECT_OR_COLUMN' };
    assert.deepEqual(sets, [
      [
        { from: 'inner_view', database: null, schema: 'dbo', name: 'goats', found: 'goats', ...facts },
        { from: 'outer_view', database: null, schema: null, name: 'goats', found: 'goats', ...facts },
        { from: 'outer_view', database: null, schema: null, name: 'Inner_View', found: 'inner_view', ...facts },
        { from: 'outer_view', database: 'master', schema: 'sys', name: 'objects', found: null, ...facts },
      ],
    ]);
    assert.deepEqual(
      await names(
        one,
        "select VIEW_NAME + ' ' + TABLE_NAME as name from INFORMATION_SCHEMA.VIEW_TABLE_USAGE where VIEW_NAME like '%[_]view' order by 1",
      ),
      ['inner_view goats', 'outer_view goats', 'outer_view inner_view'],
    );
    await one.batch('drop view outer_view, inner_view');
  });

  test('the catalog shows views with their columns and texts', async () => {
    await one.batch('create view shown (id, name, total) as\nselect id, name, milk * 2 from goats');
    await one.batch('create view hidden with encryption as select 1 as a');
    const text = 'CREATE view shown (id, name, total) as\nselect id, name, milk * 2 from goats';
    const { sets } = await one.batch(`
      select name, type, type_desc from sys.objects where name in ('shown', 'hidden') order by name
      select v.name, m.definition, m.is_schema_bound from sys.views v join sys.sql_modules m on m.object_id = v.object_id
      where v.name in ('shown', 'hidden') order by v.name
      select name, column_id, type_name(system_type_id) as type, max_length, precision, is_nullable from sys.columns
      where object_id = object_id('shown', 'V') order by column_id
      select table_name, view_definition, is_updatable from information_schema.views where table_name in ('shown', 'hidden')
      order by table_name
      select table_name, table_type from information_schema.tables where table_name = 'shown'
      select column_name, data_type from information_schema.columns where table_name = 'shown' order by ordinal_position
      select object_id('shown', 'U') as u, object_definition(object_id('shown')) as t, object_definition(object_id('hidden')) as h,
        objectproperty(object_id('shown'), 'IsView') as v`);
    assert.deepEqual(sets, [
      [
        { name: 'hidden', type: 'V ', type_desc: 'VIEW' },
        { name: 'shown', type: 'V ', type_desc: 'VIEW' },
      ],
      [
        { name: 'hidden', definition: null, is_schema_bound: false },
        { name: 'shown', definition: text, is_schema_bound: false },
      ],
      [
        { name: 'id', column_id: 1, type: 'int', max_length: 4, precision: 10, is_nullable: false },
        { name: 'name', column_id: 2, type: 'nvarchar', max_length: 40, precision: 0, is_nullable: true },
        { name: 'total', column_id: 3, type: 'decimal', max_length: 5, precision: 7, is_nullable: true },
      ],
      [
        { table_name: 'hidden', view_definition: null, is_updatable: 'NO' },
        { table_name: 'shown', view_definition: text, is_updatable: 'NO' },
      ],
      [{ table_name: 'shown', table_type: 'VIEW' }],
      [
        { column_name: 'id', data_type: 'int' },
        { column_name: 'name', data_type: 'nvarchar' },
        { column_name: 'total', data_type: 'decimal' },
      ],
      [{ u: null, t: text, h: null, v: 1 }],
    ]);
    const listed = await rows(one, "exec sp_tables 'shown'");
    assert.deepEqual(
      listed?.map((row) => row['TABLE_TYPE']),
      ['VIEW'],
    );
    const columns = await rows(one, "exec sp_columns 'shown'");
    assert.deepEqual(
      columns?.map((row) => row['COLUMN_NAME']),
      ['id', 'name', 'total'],
    );
    const lines = await rows(one, "exec sp_helptext 'shown'");
    assert.deepEqual(
      lines?.map((row) => row['Text']),
      text.split('\n').map((line) => `${line}\r\n`),
    );
    await refused("exec sp_helptext 'hidden'", 15197);
    assert.equal((await one.batch("exec sp_help 'shown'")).sets[0]?.[0]?.['Type'], 'view');
    await one.batch('drop view shown, hidden');
  });
});
