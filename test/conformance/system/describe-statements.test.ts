import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TYPES } from 'tedious';
import { config } from '../../../src/protocols/config/kind.ts';
import { translation } from '../../../src/protocols/translation/kind.ts';
import type { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const text = (name: string, value: string | null) => ({ name, type: TYPES.NVarChar, value });
const database = config.firstDatabase;

forEachEngine((engine) => {
  describe('procedures of SQL Server that describe statements', () => {
    let server: TestServer;
    let client: TestClient;

    before(async () => {
      server = await startServer({ engine, kinds: [config, translation] });
      client = await server.connect(database);
    });
    after(() => server[Symbol.asyncDispose]());

    test('sp_describe_undeclared_parameters tells a driver the types of a call’s parameters', async () => {
      const { sets } = await client.rpc('sp_describe_undeclared_parameters', [
        text('tsql', 'EXEC @P1 = proc_putFileSegment @P2, @Offset = @P4, @Bytes = @P3, @RequestGuid = @P5 OUTPUT'),
        text('params', '@P4 int'),
      ]);
      assert.deepEqual(
        sets[0]?.map((row) => [
          row['parameter_ordinal'],
          row['name'],
          row['suggested_system_type_name'],
          row['suggested_is_output'],
          row['formal_parameter_name'],
        ]),
        [
          [1, '@P1', 'int', true, null],
          [2, '@P2', 'uniqueidentifier', false, '@ObjectId'],
          [3, '@P3', 'varbinary(max)', false, '@Bytes'],
          [4, '@P5', 'uniqueidentifier', true, '@RequestGuid'],
        ],
      );
      const ask = (tsql: string) => client.rpc('sp_describe_undeclared_parameters', [text('tsql', tsql)]);
      await assert.rejects(ask('exec proc_SiteExists @P1, @P2, @P3'), { number: 11502 });
      await assert.rejects(ask('exec proc_Nothing @P1'), { number: 2812 });
      await assert.rejects(ask('select @P1'), { number: 11502 });
    });

    test('sp_describe_undeclared_parameters tells what the places of a query ask for', async () => {
      const tsql = `select name from sys.databases
        where name = @P1 and database_id in (@P2, @P3 + 1) and create_date > @P4 and compatibility_level = @known`;
      const { sets } = await client.rpc('sp_describe_undeclared_parameters', [
        text('tsql', tsql),
        text('params', '@known tinyint'),
      ]);
      assert.deepEqual(
        sets[0]?.map((row) => [row['name'], row['suggested_system_type_name'], row['formal_parameter_name']]),
        [
          ['@P1', 'nvarchar(128)', null],
          ['@P2', 'int', null],
          ['@P3', 'int', null],
          ['@P4', 'datetime', null],
        ],
      );
    });

    test('sp_describe_undeclared_parameters tells what the columns of a table ask for', async () => {
      await client.batch('create table #asked (i int not null, v varchar(100) null, n numeric(17, 5) null)');
      const ask = async (tsql: string) =>
        (await client.rpc('sp_describe_undeclared_parameters', [text('tsql', tsql)])).sets[0]?.map(
          (row) => row['suggested_system_type_name'],
        );
      assert.deepEqual(await ask('insert into #asked(i, v, n) values(@P1, @P2, @P3)'), [
        'int',
        'varchar(100)',
        'numeric(17,5)',
      ]);
      assert.deepEqual(await ask('insert #asked values (@P1, upper(@P2), @P3 + 1)'), ['int', 'varchar(8000)', 'int']);
      assert.deepEqual(await ask('update #asked set v = @P1 where i = @P2'), ['varchar(100)', 'int']);
      assert.deepEqual(await ask('delete #asked where n between @P1 and @P2'), ['numeric(17,5)', 'numeric(17,5)']);
      await assert.rejects(ask('insert into #nowhere values (@P1)'), { number: 208 });
      assert.deepEqual((await client.batch('select * from #asked')).sets, [[]]);
    });

    test('sp_describe_first_result_set tells the columns of a query without running it', async () => {
      const ask = async (tsql: string, params = '') =>
        (await client.rpc('sp_describe_first_result_set', [text('tsql', tsql), text('params', params)])).sets[0]?.map(
          (row) => [row['name'], row['system_type_name'], row['is_nullable']],
        );
      assert.deepEqual(await ask('declare @x int = 1; select @x as x, 1/0 as y, @p as z', '@p nvarchar(7)'), [
        ['x', 'int', true],
        ['y', 'int', false],
        ['z', 'nvarchar(7)', true],
      ]);
      assert.deepEqual(await ask('create table #t (a int)'), []);
      await assert.rejects(ask('select * from nowhere'), { number: 208 });
      await assert.rejects(ask('select from'), { number: 156 });
      await assert.rejects(client.batch('select * from #t'), { number: 208 });
    });

    test('sp_describe_first_result_set tells the origins of columns to those who browse, and which can be changed', async () => {
      const facts = ['is_hidden', 'name', 'source_database', 'source_schema', 'source_table', 'source_column'];
      const changes = ['is_identity_column', 'is_part_of_unique_key', 'is_updateable', 'is_computed_column'];
      const ask = async (tsql: string, mode: number) =>
        (await client.batch(`exec sp_describe_first_result_set N'${tsql}', null, ${mode}`)).sets[0]?.map((row) =>
          [...facts, ...changes].map((fact) => row[fact]),
        );
      await client.batch('create table #d (id int identity primary key, a int, b as a * 2, v rowversion)');
      assert.deepEqual(await ask('select a as x, b, id + 1 as c from #d', 1), [
        [false, 'x', 'tempdb', 'dbo', '#d', 'a', false, false, true, false],
        [false, 'b', 'tempdb', 'dbo', '#d', 'b', false, false, false, true],
        [false, 'c', null, null, null, null, false, false, false, false],
        [true, 'id', 'tempdb', 'dbo', '#d', 'id', true, true, false, false],
        [true, 'v', 'tempdb', 'dbo', '#d', 'v', false, false, false, false],
      ]);
      assert.deepEqual(await ask('select id, a from #d', 0), [
        [false, 'id', null, null, null, null, true, null, false, false],
        [false, 'a', null, null, null, null, false, null, true, false],
      ]);
      await client.batch('drop table #d');
    });

    test('sp_describe_first_result_set tells the columns that a call will send', async () => {
      const ask = async (tsql: string) =>
        (await client.rpc('sp_describe_first_result_set', [text('tsql', tsql)])).sets[0]?.map((row) => [
          row['column_ordinal'],
          row['name'],
          row['system_type_name'],
          row['tds_type_id'],
        ]);
      assert.deepEqual(await ask(`exec dbo.proc_getEmailEnabledListByAlias N'a'`), [
        [1, 'SiteId', 'uniqueidentifier', 36],
        [2, 'WebId', 'uniqueidentifier', 36],
        [3, 'ListId', 'uniqueidentifier', 36],
      ]);
      assert.deepEqual(await ask('exec proc_SiteExists null'), []);
    });
  });
});
