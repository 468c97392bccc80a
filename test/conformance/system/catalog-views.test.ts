import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { objectId } from '../../../src/procedure/describe.ts';
import { config } from '../../../src/protocols/config/kind.ts';
import { translation } from '../../../src/protocols/translation/kind.ts';
import { systemRelations } from '../../../src/system/relations.ts';
import type { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const database = config.firstDatabase;

forEachEngine((engine) => {
  describe('catalog views of SQL Server', () => {
    let server: TestServer;
    let client: TestClient;
    const select = async (text: string) => (await client.batch(text)).sets[0] ?? [];

    before(async () => {
      server = await startServer({ engine, kinds: [config, translation] });
      client = await server.connect(database);
    });
    after(() => server[Symbol.asyncDispose]());

    test('tempdb lists the temporary tables of the session, and of no other', async () => {
      await client.batch('create table #listed (id int not null, name nvarchar(20) null, at datetime2(3) null)');
      const ask = `select c.name, t.name as type, c.max_length, c.scale, c.is_nullable
        from tempdb.sys.columns as c join tempdb.sys.types as t on t.user_type_id = c.user_type_id
        where c.object_id = object_id('tempdb..#listed') order by c.column_id`;
      assert.deepEqual(await select(ask), [
        { name: 'id', type: 'int', max_length: 4, scale: 0, is_nullable: false },
        { name: 'name', type: 'nvarchar', max_length: 40, scale: 0, is_nullable: true },
        { name: 'at', type: 'datetime2', max_length: 7, scale: 3, is_nullable: true },
      ]);
      const tables = `select name from tempdb.sys.tables where name like '#listed%'`;
      assert.deepEqual(await select(tables), [{ name: '#listed' }]);
      assert.deepEqual(await select(`select name from sys.tables where name like '#%'`), []);
      await using other = await server.connect('tempdb');
      assert.deepEqual((await other.batch(tables)).sets, [[]]);
      await client.batch('drop table #listed');
      assert.deepEqual(await select(tables), []);
    });

    test('sys.columns of master has the columns of the system’s views', async () => {
      const [row] = await select(
        "select count(*) as n from master.sys.columns where object_id = object_id('master.sys.databases')",
      );
      const databases = systemRelations.find(({ schema, name }) => schema === 'sys' && name === 'databases');
      assert.equal(row?.['n'], Object.keys(databases?.columns ?? {}).length);
    });

    test('sys.procedures has every procedure of the database, and sys.parameters its parameters', async () => {
      const procedures = await select('select name, object_id from sys.procedures order by name');
      const names = config.procedures.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]);
      assert.deepEqual(procedures.map((row) => row['name']).sort(), names.sort());
      for (const row of procedures) assert.equal(row['object_id'], objectId('dbo', String(row['name'])));
      const parameters = await select(
        `select p.name, t.name as type, p.max_length, p.is_output
         from sys.parameters p join sys.types t on t.user_type_id = p.user_type_id
         where p.object_id = object_id('dbo.proc_putFileSegment') order by p.parameter_id`,
      );
      assert.deepEqual(
        parameters.map((row) => [row['name'], row['type'], row['max_length'], row['is_output']]),
        [
          ['@ObjectId', 'uniqueidentifier', 16, false],
          ['@Bytes', 'varbinary', -1, false],
          ['@Offset', 'int', 4, false],
          ['@RequestGuid', 'uniqueidentifier', 16, true],
        ],
      );
    });

    test('sys.objects lists objects by type, as pymssql asks', async () => {
      const rows = await select(
        `select name, object_name(parent_object_id) as parent_name from sys.objects where type in ('P', 'U') order by name`,
      );
      assert.ok(rows.some((row) => row['name'] === 'proc_putObject'));
      assert.ok(rows.every((row) => row['parent_name'] === null));
    });

    test('sys.sql_modules holds the T-SQL head of a procedure', async () => {
      const [row] = await select(
        `select definition from sys.sql_modules where object_id = object_id('proc_SiteExists')`,
      );
      assert.match(
        String(row?.['definition']),
        /^CREATE PROCEDURE \[dbo\]\.\[proc_SiteExists\]\n {4}@SiteId uniqueidentifier,/,
      );
    });

    test('sys.databases has the databases of the server, and sysdatabases the same', async () => {
      const names = (await select('select name from sys.databases')).map((row) => row['name']);
      for (const name of ['master', 'tempdb', database, translation.firstDatabase])
        assert.ok(names.includes(name), name);
      const old = (await select('select name from master.dbo.sysdatabases')).map((row) => row['name']);
      assert.deepEqual(old.sort(), names.sort());
      const [row] = await select('select state_desc, collation_name from sys.databases where database_id = db_id()');
      assert.deepEqual(row, { state_desc: 'ONLINE', collation_name: 'Latin1_General_CI_AS_KS_WS' });
    });

    test('sys.dm_exec_sessions shows the session that asks, with its settings', async () => {
      await client.batch('set transaction isolation level serializable');
      await client.batch('set lock_timeout 1234');
      const [row] = await select(
        `select login_name, transaction_isolation_level, lock_timeout, open_transaction_count, status, database_id
         from sys.dm_exec_sessions where session_id = @@spid`,
      );
      const [here] = await select('select db_id() as id');
      assert.deepEqual(row, {
        login_name: 'sa',
        transaction_isolation_level: 4,
        lock_timeout: 1234,
        open_transaction_count: 0,
        status: 'running',
        database_id: here?.['id'],
      });
    });

    test('sys.dm_exec_connections tells encryption and packet size', async () => {
      const [row] = await select(
        'select encrypt_option, net_packet_size, net_transport from sys.dm_exec_connections where session_id = @@spid',
      );
      assert.deepEqual(row, { encrypt_option: 'FALSE', net_packet_size: 4096, net_transport: 'TCP' });
    });

    test('sys.messages has the messages that the server raises', async () => {
      const [row] = await select(
        'select severity, text from sys.messages where message_id = 2812 and language_id = 1033',
      );
      assert.deepEqual(row, { severity: 16, text: "Could not find stored procedure '%s'." });
    });

    test('INFORMATION_SCHEMA.ROUTINES and PARAMETERS describe procedures', async () => {
      const routines = await select(
        `select ROUTINE_NAME, ROUTINE_TYPE from INFORMATION_SCHEMA.ROUTINES where ROUTINE_NAME like 'proc[_]putO%'`,
      );
      assert.deepEqual(routines, [{ ROUTINE_NAME: 'proc_putObject', ROUTINE_TYPE: 'PROCEDURE' }]);
      const parameters = await select(
        `select PARAMETER_NAME, PARAMETER_MODE, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH from INFORMATION_SCHEMA.PARAMETERS
         where SPECIFIC_NAME = 'proc_putEmailEnabledList' order by ORDINAL_POSITION`,
      );
      assert.deepEqual(parameters[0], {
        PARAMETER_NAME: '@Alias',
        PARAMETER_MODE: 'IN',
        DATA_TYPE: 'nvarchar',
        CHARACTER_MAXIMUM_LENGTH: 128,
      });
      assert.equal(parameters.at(-1)?.['PARAMETER_MODE'], 'INOUT');
    });

    test('master.dbo.syscharsets answers jTDS', async () => {
      const rows = await select('select name from master.dbo.syscharsets where type = 1001');
      assert.deepEqual(rows, [{ name: 'iso_1' }]);
    });

    test('sys.configurations holds its values as sql_variant', async () => {
      const [row] = await select(`select value_in_use from sys.configurations where name = 'xp_cmdshell'`);
      assert.deepEqual(row, { value_in_use: 0 });
    });
  });
});
