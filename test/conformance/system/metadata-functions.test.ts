import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { config } from '../../../src/protocols/config/kind.ts';
import { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';

/** Expressions, and what they are in the first database of the kind config. */
const values: readonly (readonly [expression: string, value: unknown])[] = [
  ["file_name(1) + '|' + file_name(2)", `${config.firstDatabase}|${config.firstDatabase}_log`],
  [`file_idex('${config.firstDatabase}_log')`, 2],
  ["fileproperty(db_name(), 'IsPrimaryFile')", 1],
  ['file_name(3)', null],
  ['filegroup_name(1)', 'PRIMARY'],
  ["filegroup_id('primary')", 1],
  ["filegroupproperty('PRIMARY', 'IsDefault')", 1],
  ["typeproperty('int', 'Precision')", 10],
  ["typeproperty('sys.nvarchar', 'Precision')", 4000],
  ["typeproperty('float', 'Scale')", null],
  ["typeproperty('nothing', 'Precision')", null],
  ["database_principal_id('db_datareader')", 16390],
  ['database_principal_id()', 1],
  ["database_principal_id('nobody')", null],
  ["loginproperty('sa', 'IsLocked')", 0],
  ["loginproperty('nobody', 'IsLocked')", null],
  ['schema_name(16384)', 'db_owner'],
  ["schema_id('db_ddladmin')", 16387],
  ["has_perms_by_name('[SharePoint_Config]', 'DATABASE', 'CONNECT')", 1],
  ["object_id('msdb.dbo.backupset')", 'a number'],
  ["object_id('master.dbo.backupset')", null],
  [
    "(select object_name(object_id) from sys.key_constraints where parent_object_id = object_id('Objects') and type = 'PK')",
    'a key',
  ],
  ["objectproperty(object_id('Objects'), 'TableHasPrimaryKey')", 1],
  ["index_col('Objects', 1, 1)", 'Id'],
  ['{fn mod(-7, 3)}', -1],
  ["{fn position('c' in 'abc')}", 3],
  ["{fn convert('12', SQL_INTEGER)} + 1", 13],
  ["{fn dayname({d '2024-01-31'})}", 'Wednesday'],
  ["{fn timestampdiff(SQL_TSI_MONTH, {d '2024-01-31'}, {d '2024-03-01'})}", 2],
  [
    "(select string_agg(v, ',') within group (order by n desc) from (values (1, 'a'), (3, 'c'), (2, 'b')) t(n, v))",
    'c,b,a',
  ],
  [
    "(select string_agg(v, '') within group (order by k, v desc) from (values (null, 'x'), (1, 'y'), (1, 'z')) t(k, v))",
    'xzy',
  ],
];

forEachEngine((engine) => {
  describe('functions about files, types, principals and objects, and the escapes of ODBC', () => {
    let server: TestServer;
    let client: TestClient;

    before(async () => {
      server = await startServer({ engine, kinds: [config] });
      client = await server.connect(config.firstDatabase);
    });
    after(() => server[Symbol.asyncDispose]());

    for (const [expression, value] of values) {
      test(`${expression} is ${value}`, async () => {
        const { sets } = await client.batch(`select ${expression} as v`);
        const found = sets[0]?.[0]?.['v'];
        if (value === 'a number') assert.equal(typeof found, 'number');
        else if (value === 'a key') assert.match(String(found), /^PK__Objects__[0-9A-F]{16}$/);
        else assert.equal(found, value);
      });
    }

    for (const [statement, number] of [
      ['select max(v) within group (order by v) from (values (1)) t(v)', 10757],
      ['select {fn convert(1, SQL_NOTHING)}', 102],
      ['select {fn timestampadd(day, 1, getdate())}', 102],
      ['dbcc checkdb', 2526],
    ] as const) {
      test(`${statement} is error ${number}`, async () => {
        await assert.rejects(client.batch(statement), { number });
      });
    }

    test('sys.partitions counts the rows of a table, and sp_spaceused tells them', async () => {
      await using other = await server.connect('tempdb');
      await other.batch('create table dbo.counted (n int primary key); insert dbo.counted values (1), (2), (3)');
      const counted = "select rows as n from sys.partitions where object_id = object_id('dbo.counted')";
      assert.deepEqual((await other.batch(counted)).sets[0], [{ n: '3' }]);
      assert.equal(String((await other.batch("exec sp_spaceused 'dbo.counted'")).sets[0]?.[0]?.['rows']).trim(), '3');
    });

    test('a reader sees rows counted and users listed, in a transaction too', async () => {
      await client.batch(
        "create login looker with password = 'Only-Looks-7'; exec sp_addrolemember 'db_datareader', 'looker'",
      );
      const options = { userName: 'looker', password: 'Only-Looks-7' };
      const authentication = { type: 'default' as const, options };
      await using reader = await TestClient.open({ ...server.config(config.firstDatabase), authentication });
      const { sets } =
        await reader.batch(`begin transaction; select count(*) as n from sys.partitions where rows is not null;
        exec sp_helpuser 'looker'; select count(*) as n from sys.partitions; commit`);
      assert.ok(Number(sets[0]?.[0]?.['n']) > 0);
      assert.equal(sets[1]?.[0]?.['RoleName'], 'db_datareader');
      assert.deepEqual(sets[2], sets[0]);
    });

    test('tables that commas part are joined in the order in which WHERE links them', async () => {
      const { sets } = await client.batch(`select count(*) as n from sys.all_columns a, sys.all_columns b, sys.schemas c
        where a.object_id = c.schema_id and b.object_id = c.schema_id`);
      assert.deepEqual(sets[0], [{ n: 0 }]);
    });

    test('a statement of the catalog’s own leaves the client’s settings and counts alone', async () => {
      const { sets } = await client.batch(`set rowcount 1; select 1 as a union all select 2;
        declare @n int = @@rowcount; select * from INFORMATION_SCHEMA.SCHEMATA; set rowcount 0;
        select @n as n, count(*) as all_schemas from INFORMATION_SCHEMA.SCHEMATA`);
      assert.equal(sets[1]?.length, 1);
      assert.equal(sets[2]?.[0]?.['n'], 1);
      assert.ok(Number(sets[2]?.[0]?.['all_schemas']) > 10);
    });
  });
});
