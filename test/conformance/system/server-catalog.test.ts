import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { TYPES } from 'tedious';
import { compare } from '../../../src/base/text/collation.ts';
import type { Outcome } from '../../../src/procedure/declare.ts';
import type { Param } from '../../../src/procedure/param.ts';
import { config } from '../../../src/protocols/config/kind.ts';
import { translation } from '../../../src/protocols/translation/kind.ts';
import { systemProcedures } from '../../../src/system/procedures.ts';
import { systemRelations } from '../../../src/system/relations.ts';
import { until } from '../../robustness/support/until.ts';
import { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const text = (name: string, value: string | null) => ({ name, type: TYPES.NVarChar, value });
const database = config.firstDatabase;

/** What to ask of those that need a name. */
function objectFor(name: string): string {
  if (name.includes('describe')) return 'exec proc_SiteExists @P1';
  return /procedure_params|helptext/.test(name) ? 'proc_putObject' : 'Objects';
}

forEachEngine((engine) => {
  describe('procedures of SQL Server that tell about tables, types and the server', () => {
    let server: TestServer;
    let client: TestClient;

    before(async () => {
      server = await startServer({ engine, kinds: [config, translation] });
      client = await server.connect(database);
    });
    after(() => server[Symbol.asyncDispose]());

    // Those that change something have tests of their own.
    for (const declared of systemProcedures.filter(({ reservedFor }) => reservedFor === undefined)) {
      test(`${declared.name} answers, with the columns that it declares`, async () => {
        const params: readonly [string, Param][] = Object.entries(declared.params);
        const needed = params.filter(([, { kind }]) => kind === 'required' || kind === 'nullable');
        const object = objectFor(declared.name);
        const given = Object.fromEntries(needed.map(([name]) => [name, object]));
        const { columns } = await client.callLoosely(declared, given);
        const outcomes: readonly Outcome[] = Object.values(declared.outcomes);
        const shapes = outcomes.map(({ sets }) => Object.values(sets ?? {}).map((set) => Object.keys(set)));
        assert.ok(
          shapes.some((shape) => isDeepStrictEqual(shape, columns)),
          JSON.stringify(columns),
        );
      });
    }

    test('sp_tables lists views by type, and databases, schemas and types when asked with %', async () => {
      const rows = async (batch: string) => (await client.batch(batch)).sets[0] ?? [];
      const views = await rows(`exec sp_tables @table_owner = 'INFORMATION[_]SCHEMA', @table_type = "'VIEW'"`);
      assert.deepEqual(
        views.map((row) => row['TABLE_NAME']),
        systemRelations
          .filter(({ schema }) => schema === 'INFORMATION_SCHEMA')
          .map(({ name }) => name)
          .sort(compare),
      );
      const inQuotes = await client.rpc('sp_tables', [
        text('table_owner', 'INFORMATION[_]SCHEMA'),
        text('table_type', `"'TABLE', 'VIEW'"`),
      ]);
      assert.deepEqual(inQuotes.sets[0], views);
      // Microsoft's JDBC driver sends the list as a literal of it would be written.
      const doubled = await client.rpc('sp_tables', [
        text('table_owner', 'INFORMATION[_]SCHEMA'),
        text('table_type', "'''TABLE'',''VIEW'''"),
      ]);
      assert.deepEqual(doubled.sets[0], views);
      assert.deepEqual(views[0], {
        TABLE_QUALIFIER: database,
        TABLE_OWNER: 'INFORMATION_SCHEMA',
        TABLE_NAME: 'CHECK_CONSTRAINTS',
        TABLE_TYPE: 'VIEW',
        REMARKS: null,
      });
      const databases = (await rows(`exec sp_tables '', '', '%'`)).map((row) => row['TABLE_QUALIFIER']);
      for (const name of ['master', database, translation.firstDatabase]) assert.ok(databases.includes(name), name);
      assert.ok((await rows(`exec sp_tables '', '%', ''`)).some((row) => row['TABLE_OWNER'] === 'dbo'));
      assert.deepEqual(
        (await rows(`exec sp_tables '', '', '', '%'`)).map((row) => row['TABLE_TYPE']),
        ['SYSTEM TABLE', 'TABLE', 'VIEW'],
      );
    });

    test('sp_tableswc lists tables of every database whose name matches, and of none that the login may not use', async () => {
      const places = async (asker: TestClient, pattern: string) => {
        const { sets } = await asker.rpc('sp_tableswc', [
          text('table_name', 'sysobjects'),
          text('table_owner', 'sys'),
          text('table_qualifier', pattern),
        ]);
        return sets[0]?.map((row) => row['TABLE_QUALIFIER']);
      };
      const system = ['master', 'model', 'msdb', 'tempdb'];
      const all = [...system, database, translation.firstDatabase].sort((a, b) =>
        a.toLowerCase() < b.toLowerCase() ? -1 : 1,
      );
      assert.deepEqual(await places(client, '%'), all);
      assert.deepEqual(await places(client, 'M%'), ['master', 'model', 'msdb']);
      assert.deepEqual(await places(client, database), [database]);
      const login = { userName: `reader-${engine}`, password: 'Granary-Reader-1' };
      const role = { database, role: 'reader' } as const;
      await server.granary.accounts.create(login.userName, login.password, role);
      await using reader = await TestClient.open({
        ...server.config(database),
        authentication: { type: 'default', options: login },
      });
      assert.deepEqual(
        await places(reader, '%'),
        all.filter((name) => name !== translation.firstDatabase),
      );
    });

    test('sp_tables takes no other database than its own: 15250', async () => {
      await assert.rejects(client.rpc('sp_tables', [text('table_qualifier', 'master')]), { number: 15250 });
    });

    test('sp_columns lists the columns of a view, in order', async () => {
      const { sets } = await client.rpc('sp_columns', [text('table_name', 'schemas'), text('table_owner', 'sys')]);
      assert.deepEqual(
        sets[0]?.map((row) => [row['COLUMN_NAME'], row['TYPE_NAME'], row['IS_NULLABLE'], row['ORDINAL_POSITION']]),
        [
          ['name', 'nvarchar', 'NO', 1],
          ['schema_id', 'int', 'NO', 2],
          ['principal_id', 'int', 'YES', 3],
        ],
      );
      const { columns } = await client.batch(`exec sp_columns_100 'schemas', 'sys', null, 'n%', 0, 3, 1`);
      assert.equal(columns[0]?.length, 29);
      assert.equal(columns[0]?.at(-1), 'SS_DATA_TYPE');
      assert.equal((await client.batch(`exec sp_columns_90 'schemas'`)).columns[0]?.length, 25);
    });

    test('sp_datatype_info answers as pyodbc and jTDS ask', async () => {
      const types = async (batch: string) => (await client.batch(batch)).sets[0] ?? [];
      const first = async (batch: string) => (await types(batch))[0];
      assert.equal((await first('exec sp_datatype_info_100 12,3'))?.['TYPE_NAME'], 'varchar');
      assert.equal((await first('exec sp_datatype_info_100 -9,3'))?.['TYPE_NAME'], 'nvarchar');
      assert.equal((await first('exec sp_datatype_info -9'))?.['TYPE_NAME'], 'nvarchar');
      assert.equal((await first('exec sp_datatype_info_100 -3,3'))?.['PRECISION'], 8000);
      assert.equal((await first('exec sp_datatype_info_100 93,3'))?.['TYPE_NAME'], 'datetime');
      assert.equal((await first('exec sp_datatype_info @ODBCVer=2, @data_type=11'))?.['PRECISION'], 23);
      const all = await types('exec sp_datatype_info_100 0,3');
      const numbers = all.map((row) => Number(row['DATA_TYPE']));
      assert.deepEqual(
        numbers,
        [...numbers].sort((a, b) => a - b),
      );
      assert.equal(all.length, 37);
    });

    test('sp_server_info tells an attribute, or all of them', async () => {
      const { sets } = await client.batch('exec sp_server_info 16');
      assert.deepEqual(sets[0], [{ ATTRIBUTE_ID: 16, ATTRIBUTE_NAME: 'IDENTIFIER_CASE', ATTRIBUTE_VALUE: 'MIXED' }]);
      assert.equal((await client.batch('exec sp_server_info')).sets[0]?.length, 29);
    });

    test('sp_databases and sp_helpdb list databases; sp_helpdb of an unknown one is error 15010', async () => {
      const { sets } = await client.rpc('sp_databases');
      assert.ok(sets[0]?.some((row) => row['DATABASE_NAME'] === database));
      const helped = await client.batch(`exec sp_helpdb '${database}'`);
      assert.equal(helped.sets.length, 2);
      assert.equal(helped.sets[0]?.[0]?.['name'], database);
      await assert.rejects(client.batch(`exec sp_helpdb 'Nowhere'`), { number: 15010 });
    });

    test('what has no keys, indexes or grants beyond reading answers in the right shape', async () => {
      const shape = async (batch: string) => (await client.batch(batch)).columns[0]?.length;
      assert.equal(await shape(`exec sp_pkeys 'schemas'`), 6);
      assert.equal(await shape(`exec sp_fkeys 'schemas'`), 14);
      assert.equal(await shape(`exec sp_statistics 'schemas'`), 13);
      assert.equal(await shape(`exec sp_special_columns 'schemas'`), 8);
      const { sets } = await client.batch(`exec sp_table_privileges 'schemas', 'sys'`);
      assert.deepEqual(
        sets[0]?.map((row) => [row['TABLE_NAME'], row['GRANTEE'], row['PRIVILEGE']]),
        [['schemas', 'public', 'SELECT']],
      );
      assert.equal(
        (await client.batch(`exec sp_column_privileges 'schemas', 'sys', null, 'schema%'`)).sets[0]?.length,
        1,
      );
    });

    test('dm_exec_requests leads to the text that a session runs, by batch or sp_executesql, or its beginning, but to none that mentions a password', async () => {
      const wait = "waitfor delay '01:00:00'";
      const shown = async (begin: (other: TestClient) => Promise<unknown>) => {
        const other = await server.connect(database);
        const spid = (await other.batch('select @@spid as spid')).sets[0]?.[0]?.['spid'];
        const ended = begin(other).catch(() => 'ended');
        const request = `from sys.dm_exec_requests r where r.command <> 'SELECT' and r.session_id = ${spid}`;
        await until('it runs', async () => (await client.batch(`select 1 ${request}`)).sets[0]?.length === 1);
        const { sets } = await client.batch(
          `select t.text, b.event_type ${request.replace(
            ' where',
            ' cross apply sys.dm_exec_sql_text(r.sql_handle) t cross apply sys.dm_exec_input_buffer(r.session_id, 0) b where',
          )}`,
        );
        await client.batch(`kill ${spid}`);
        await ended;
        return sets[0]?.map(Object.values);
      };
      assert.deepEqual(await shown((other) => other.batch(wait)), [[wait, 'Language Event']]);
      assert.deepEqual(await shown((other) => other.query(wait)), [[wait, 'RPC Event']]);
      assert.deepEqual(await shown((other) => other.batch(`${wait} -- password`)), []);
      const long = `${wait} -- ${'x'.repeat(20_000)}`;
      assert.deepEqual(await shown((other) => other.batch(long)), [[long.slice(0, 16_384), 'Language Event']]);
    });

    test('sp_who and sp_who2 list the session that asks', async () => {
      const spid = (await client.batch('select @@spid as spid')).sets[0]?.[0]?.['spid'];
      const { sets } = await client.batch(`exec sp_who ${spid}`);
      const [row] = sets[0] ?? [];
      assert.equal(String(row?.['loginame']).trim(), 'sa');
      assert.equal(String(row?.['dbname']).trim(), database);
      assert.equal(String(row?.['status']).trim(), 'running');
      assert.equal((await client.batch(`exec sp_who2 'sa'`)).columns[0]?.length, 13);
      await assert.rejects(client.batch(`exec sp_who 'nobody'`), { number: 15007 });
    });

    test('sp_configure shows settings and refuses to change them; xp_msver tells the version', async () => {
      const { sets } = await client.batch(`exec sp_configure 'xp_cmdshell'`);
      assert.deepEqual(sets[0], [{ name: 'xp_cmdshell', minimum: 0, maximum: 1, config_value: 0, run_value: 0 }]);
      await assert.rejects(client.batch(`exec sp_configure 'xp_cmdshell', 1`), { number: 50000 });
      await assert.rejects(client.batch(`exec sp_configure 'no such setting'`), { number: 15123 });
      const { sets: version } = await client.batch(`exec xp_msver 'ProductVersion'`);
      assert.match(String(version[0]?.[0]?.['Character_Value']), /^\d+\.\d+\./);
    });
  });
});
