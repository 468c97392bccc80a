import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TYPES } from 'tedious';
import { config } from '../../../src/protocols/config/kind.ts';
import { translation } from '../../../src/protocols/translation/kind.ts';
import type { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const text = (name: string, value: string | null) => ({ name, type: TYPES.NVarChar, value });
const int = (name: string, value: number) => ({ name, type: TYPES.Int, value });
const database = config.firstDatabase;

forEachEngine((engine) => {
  describe('procedures of SQL Server that tell about procedures', () => {
    let server: TestServer;
    let client: TestClient;

    before(async () => {
      server = await startServer({ engine, kinds: [config, translation] });
      client = await server.connect(database);
    });
    after(() => server[Symbol.asyncDispose]());

    test('sp_sproc_columns lists the return value and every parameter of a procedure', async () => {
      const { sets, columns, status } = await client.rpc('sp_sproc_columns', [
        text('procedure_name', 'proc_putObject'),
        int('ODBCVer', 3),
      ]);
      assert.equal(status, 0);
      assert.deepEqual(columns[0], [
        'PROCEDURE_QUALIFIER',
        'PROCEDURE_OWNER',
        'PROCEDURE_NAME',
        'COLUMN_NAME',
        'COLUMN_TYPE',
        'DATA_TYPE',
        'TYPE_NAME',
        'PRECISION',
        'LENGTH',
        'SCALE',
        'RADIX',
        'NULLABLE',
        'REMARKS',
        'COLUMN_DEF',
        'SQL_DATA_TYPE',
        'SQL_DATETIME_SUB',
        'CHAR_OCTET_LENGTH',
        'ORDINAL_POSITION',
        'IS_NULLABLE',
        'SS_DATA_TYPE',
      ]);
      const rows = sets[0] ?? [];
      assert.deepEqual(
        rows.map((row) => [row['COLUMN_NAME'], row['COLUMN_TYPE'], row['TYPE_NAME'], row['ORDINAL_POSITION']]),
        [
          ['@RETURN_VALUE', 5, 'int', 0],
          ['@Id', 1, 'uniqueidentifier', 1],
          ['@ParentId', 1, 'uniqueidentifier', 2],
          ['@ClassId', 1, 'uniqueidentifier', 3],
          ['@Name', 1, 'nvarchar', 4],
          ['@Status', 1, 'int', 5],
          ['@Version', 1, 'timestamp', 6],
          ['@Properties', 1, 'ntext', 7],
          ['@AutoResolveMissingTypes', 1, 'bit', 8],
          ['@ExistingObject', 2, 'uniqueidentifier', 9],
          ['@NewVersion', 2, 'timestamp', 10],
          ['@RequestGuid', 2, 'uniqueidentifier', 11],
        ],
      );
      assert.deepEqual(rows[0], {
        PROCEDURE_QUALIFIER: database,
        PROCEDURE_OWNER: 'dbo',
        PROCEDURE_NAME: 'proc_putObject;1',
        COLUMN_NAME: '@RETURN_VALUE',
        COLUMN_TYPE: 5,
        DATA_TYPE: 4,
        TYPE_NAME: 'int',
        PRECISION: 10,
        LENGTH: 4,
        SCALE: 0,
        RADIX: 10,
        NULLABLE: 0,
        REMARKS: null,
        COLUMN_DEF: null,
        SQL_DATA_TYPE: 4,
        SQL_DATETIME_SUB: null,
        CHAR_OCTET_LENGTH: null,
        ORDINAL_POSITION: 0,
        IS_NULLABLE: 'NO',
        SS_DATA_TYPE: 56,
      });
      const name = rows.find((row) => row['COLUMN_NAME'] === '@Name');
      assert.deepEqual(
        [
          name?.['DATA_TYPE'],
          name?.['PRECISION'],
          name?.['LENGTH'],
          name?.['CHAR_OCTET_LENGTH'],
          name?.['IS_NULLABLE'],
        ],
        [-9, 128, 256, 256, 'YES'],
      );
      assert.equal(rows.at(-1)?.['COLUMN_DEF'], 'NULL');
    });

    test('sp_sproc_columns takes names with ;1, in quotes, in any case, by position, as a pattern', async () => {
      const names = async (batch: string) =>
        (await client.batch(batch)).sets[0]?.map((row) => `${row['PROCEDURE_NAME']} ${row['COLUMN_NAME']}`);
      const one = ['proc_SiteExists;1 @RETURN_VALUE', 'proc_SiteExists;1 @SiteId', 'proc_SiteExists;1 @RequestGuid'];
      assert.deepEqual(await names(`exec sp_sproc_columns 'proc_SiteExists;1'`), one);
      assert.deepEqual(await names(`exec sp_sproc_columns '[proc_SiteExists]', 'DBO', '[${database}]'`), one);
      assert.deepEqual(await names(`sp_sproc_columns @procedure_name = N'PROC_SITEEXIST%'`), one);
      assert.deepEqual(await names(`exec sp_sproc_columns 'proc_SiteExists', null, null, '@SITE%'`), [one[1]]);
      assert.deepEqual(await names(`exec sp_sproc_columns 'proc_SiteExist_', @fUsePattern = 0`), []);
      assert.deepEqual(await names(`exec sys.sp_sproc_columns_100 'proc_SiteExists', @ODBCVer = 3`), one);
      assert.deepEqual(await names(`exec ${database}..sp_sproc_columns_90 'proc_SiteExists'`), one);
    });

    test('sp_sproc_columns refuses the name of another database with error 15250', async () => {
      await assert.rejects(client.rpc('sp_sproc_columns', [text('procedure_qualifier', 'master')]), { number: 15250 });
    });

    test('sp_sproc_columns_100 has the columns that later drivers read', async () => {
      const { columns } = await client.rpc('sp_sproc_columns_100', [text('procedure_name', 'proc_SiteExists')]);
      assert.deepEqual(columns[0]?.slice(19), [
        'SS_TYPE_CATALOG_NAME',
        'SS_TYPE_SCHEMA_NAME',
        'SS_UDT_CATALOG_NAME',
        'SS_UDT_SCHEMA_NAME',
        'SS_UDT_ASSEMBLY_TYPE_NAME',
        'SS_XML_SCHEMACOLLECTION_CATALOG_NAME',
        'SS_XML_SCHEMACOLLECTION_SCHEMA_NAME',
        'SS_XML_SCHEMACOLLECTION_NAME',
        'SS_DATA_TYPE',
      ]);
    });

    test('sp_stored_procedures lists every procedure of the database, its aliases too, and SQL Server’s own under sys', async () => {
      const { sets } = await client.rpc('sp_stored_procedures');
      const listed = new Map(sets[0]?.map((row) => [row['PROCEDURE_NAME'], row['PROCEDURE_OWNER']]));
      for (const { name, aliases } of config.procedures) {
        for (const each of [name, ...(aliases ?? [])]) assert.equal(listed.get(`${each};1`), 'dbo', each);
      }
      assert.equal(listed.get('sp_stored_procedures;1'), 'sys');
      const { sets: some } = await client.batch(`exec sp_stored_procedures 'proc_putO%', 'dbo', '${database}'`);
      assert.deepEqual(some[0], [
        {
          PROCEDURE_QUALIFIER: database,
          PROCEDURE_OWNER: 'dbo',
          PROCEDURE_NAME: 'proc_putObject;1',
          NUM_INPUT_PARAMS: -1,
          NUM_OUTPUT_PARAMS: -1,
          NUM_RESULT_SETS: -1,
          REMARKS: null,
          PROCEDURE_TYPE: 2,
        },
      ]);
    });

    test('sp_stored_procedures of another database lists that database’s procedures', async () => {
      const { sets } = await client.batch(`exec [${translation.firstDatabase}]..sp_stored_procedures 'proc[_]%'`);
      assert.deepEqual(
        sets[0]?.map((row) => row['PROCEDURE_NAME']).sort(),
        translation.procedures
          .filter(({ schema }) => schema === undefined)
          .map(({ name }) => `${name};1`)
          .sort(),
      );
    });

    test('sp_procedure_params_100_managed is what DeriveParameters of ADO.NET reads', async () => {
      const { sets, columns } = await client.rpc(`[${database}].[sys].[sp_procedure_params_100_managed]`, [
        text('procedure_name', 'proc_AddTimerLockForJob'),
        text('procedure_schema', 'dbo'),
      ]);
      for (const name of [
        'PARAMETER_NAME',
        'PARAMETER_TYPE',
        'MANAGED_DATA_TYPE',
        'CHARACTER_MAXIMUM_LENGTH',
        'NUMERIC_PRECISION',
        'NUMERIC_SCALE',
        'TYPE_CATALOG_NAME',
        'TYPE_SCHEMA_NAME',
        'TYPE_NAME',
        'XML_CATALOGNAME',
        'XML_SCHEMANAME',
        'XML_SCHEMACOLLECTIONNAME',
        'SS_DATETIME_PRECISION',
      ]) {
        assert.ok(columns[0]?.includes(name), name);
      }
      assert.deepEqual(
        sets[0]?.map((row) => [row['PARAMETER_NAME'], row['PARAMETER_TYPE'], row['MANAGED_DATA_TYPE']]),
        [
          ['@RETURN_VALUE', 4, 8],
          ['@JobId', 1, 14],
          ['@ServerId', 1, 14],
          ['@LockTimeout', 1, 8],
          ['@LockStatus', 2, 8],
          ['@LockExpiredServerId', 2, 14],
          ['@RequestGuid', 2, 14],
        ],
      );
    });

    test('sp_procedure_params_managed and _rowset number types as OLE DB does, and know defaults', async () => {
      for (const name of [
        'sp_procedure_params_managed',
        'sp_procedure_params_90_managed',
        'sp_procedure_params_rowset',
      ]) {
        const { sets } = await client.rpc(name, [
          text('procedure_name', 'proc_putFileSegment'),
          int('group_number', 1),
        ]);
        assert.deepEqual(
          sets[0]?.map((row) => [
            row['PARAMETER_NAME'],
            row['ORDINAL_POSITION'],
            row['DATA_TYPE'],
            row['CHARACTER_MAXIMUM_LENGTH'],
            row['PARAMETER_HASDEFAULT'],
          ]),
          [
            ['@RETURN_VALUE', 0, 3, null, false],
            ['@ObjectId', 1, 72, null, false],
            ['@Bytes', 2, 128, 0, false],
            ['@Offset', 3, 3, null, false],
            ['@RequestGuid', 4, 72, null, true],
          ],
          name,
        );
      }
      const { sets: none } = await client.rpc('sp_procedure_params_managed', [text('procedure_name', 'proc_Nothing')]);
      assert.deepEqual(none[0], []);
    });

    test('sp_helptext shows the T-SQL head of a procedure, and sp_help its parameters', async () => {
      const { sets } = await client.rpc('sp_helptext', [text('objname', 'dbo.proc_SiteExists')]);
      const shown = (sets[0] ?? []).map((row) => row['Text']).join('');
      assert.deepEqual(shown.split('\r\n').slice(0, 4), [
        'CREATE PROCEDURE [dbo].[proc_SiteExists]',
        '    @SiteId uniqueidentifier,',
        '    @RequestGuid uniqueidentifier = NULL OUTPUT',
        'AS',
      ]);
      assert.match(shown, /^-- MS-WSSCFGD2 3\.1\.5\.62: /m);
      const helped = await client.batch(`exec sp_help 'proc_SiteExists'`);
      assert.equal(helped.sets[0]?.[0]?.['Type'], 'stored procedure');
      assert.deepEqual(
        helped.sets[1]?.map((row) => [row['Parameter_name'], row['Type'], row['Length'], row['Param_order']]),
        [
          ['@SiteId', 'uniqueidentifier', 16, 1],
          ['@RequestGuid', 'uniqueidentifier', 16, 2],
        ],
      );
      assert.equal((await client.batch(`exec sp_help 'sys.schemas'`)).sets[1]?.length, 3);
      await assert.rejects(client.batch(`exec sp_help 'proc_Nothing'`), { number: 15009 });
      await assert.rejects(client.batch(`exec sp_helptext 'sys.schemas'`), { number: 15197 });
    });

    test('sp_help tells about a data type, and counts no rows for clients', async () => {
      const { sets, rowCount } = await client.batch('exec sp_help decimal');
      assert.deepEqual(sets, [
        [
          {
            Type_name: 'decimal',
            Storage_type: 'decimal',
            Length: 17,
            Prec: 38,
            Scale: 0,
            Nullable: 'yes',
            Default_name: 'none',
            Rule_name: 'none',
            Collation: null,
          },
        ],
      ]);
      assert.equal(rowCount, 0);
      const [[sysname] = []] = (await client.batch("exec sp_help 'sys.SysName'")).sets;
      assert.deepEqual(
        [sysname?.['Storage_type'], sysname?.['Length'], sysname?.['Nullable']],
        ['nvarchar', 256, 'no'],
      );
      await assert.rejects(client.batch("exec sp_help 'dbo.int'"), { number: 15009 });
      const [objects, types] = (await client.batch('exec sp_help')).sets;
      assert.ok(objects?.some(({ Name }) => Name === 'proc_SiteExists'));
      assert.deepEqual(types, []);
    });
  });
});
