import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { config } from '../../../src/protocols/config/kind.ts';
import type { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';

/** What tools ask a server that they do not know yet, and the columns that they read. */
const asked: readonly (readonly [statement: string, columns: string])[] = [
  ['select name, precision, scale from sys.types order by precision', 'name precision scale'],
  [
    `select c.name, t.name as type, c.max_length, c.precision, c.scale, c.is_nullable, c.is_identity, d.definition, e.value as remark
     from sys.columns c join sys.types t on t.user_type_id = c.user_type_id
     left join sys.default_constraints d on d.object_id = c.default_object_id
     left join sys.extended_properties e on e.class = 1 and e.major_id = c.object_id and e.minor_id = c.column_id
     where c.object_id = object_id('dbo.Objects') order by c.column_id`,
    'name type max_length precision scale is_nullable is_identity definition remark',
  ],
  [
    `select i.name, i.type_desc, c.name as col, ic.is_descending_key from sys.indexes i
     left join sys.index_columns ic on ic.object_id = i.object_id and ic.index_id = i.index_id
     left join sys.columns c on c.object_id = ic.object_id and c.column_id = ic.column_id
     left join sys.data_spaces ds on ds.data_space_id = i.data_space_id
     left join sys.stats s on s.object_id = i.object_id and s.stats_id = i.index_id`,
    'name type_desc col is_descending_key',
  ],
  [
    `select fk.name, cc.definition, tr.is_instead_of_trigger from sys.tables t
     left join sys.foreign_keys fk on fk.parent_object_id = t.object_id
     left join sys.check_constraints cc on cc.parent_object_id = t.object_id
     left join sys.triggers tr on tr.parent_id = t.object_id`,
    'name definition is_instead_of_trigger',
  ],
  [
    `select s.name, q.name as sequence, q.current_value, y.base_object_name, tt.type_table_object_id from sys.schemas s
     left join sys.sequences q on q.schema_id = s.schema_id left join sys.synonyms y on y.schema_id = s.schema_id
     left join sys.table_types tt on tt.schema_id = s.schema_id
     left join sys.xml_schema_collections x on x.schema_id = s.schema_id`,
    'name sequence current_value base_object_name type_table_object_id',
  ],
  [
    `select t.name, sum(p.rows) as rows, sum(a.total_pages) * 8 as kb from sys.tables t
     left join sys.partitions p on p.object_id = t.object_id and p.index_id in (0, 1)
     left join sys.allocation_units a on a.container_id = p.partition_id group by t.name`,
    'name rows kb',
  ],
  [
    `select d.name, f.physical_name, f.size, m.mirroring_state_desc, e.encryption_state from sys.databases d
     left join sys.master_files f on f.database_id = d.database_id
     left join sys.database_mirroring m on m.database_id = d.database_id
     left join sys.dm_database_encryption_keys e on e.database_id = d.database_id`,
    'name physical_name size mirroring_state_desc encryption_state',
  ],
  [
    `select p.permission_name, p.state_desc, g.name as grantee from sys.database_permissions p
     join sys.database_principals g on g.principal_id = p.grantee_principal_id`,
    'permission_name state_desc grantee',
  ],
  ['select server_id, name, is_linked from sys.servers where server_id = 0', 'server_id name is_linked'],
  [
    'select wait_type, waiting_tasks_count, wait_time_ms from sys.dm_os_wait_stats',
    'wait_type waiting_tasks_count wait_time_ms',
  ],
  [
    `select r.session_id, r.wait_type, t.text from sys.dm_exec_requests r
     outer apply sys.dm_exec_sql_text(r.sql_handle) t outer apply sys.dm_exec_query_plan(r.plan_handle) p`,
    'session_id wait_type text',
  ],
  [
    'select database_id, num_of_reads, io_stall from sys.dm_io_virtual_file_stats(null, default)',
    'database_id num_of_reads io_stall',
  ],
  [
    "select objname, value from ::fn_listextendedproperty(N'MS_Description', N'SCHEMA', N'dbo', N'TABLE', null, null, null)",
    'objname value',
  ],
  [
    `select tc.CONSTRAINT_NAME, kc.COLUMN_NAME, rc.UNIQUE_CONSTRAINT_NAME, ck.CHECK_CLAUSE
     from INFORMATION_SCHEMA.TABLE_CONSTRAINTS tc
     left join INFORMATION_SCHEMA.KEY_COLUMN_USAGE kc on kc.CONSTRAINT_NAME = tc.CONSTRAINT_NAME
     left join INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS rc on rc.CONSTRAINT_NAME = tc.CONSTRAINT_NAME
     left join INFORMATION_SCHEMA.CHECK_CONSTRAINTS ck on ck.CONSTRAINT_NAME = tc.CONSTRAINT_NAME`,
    'CONSTRAINT_NAME COLUMN_NAME UNIQUE_CONSTRAINT_NAME CHECK_CLAUSE',
  ],
  [
    'select TABLE_NAME, VIEW_DEFINITION, IS_UPDATABLE from INFORMATION_SCHEMA.VIEWS',
    'TABLE_NAME VIEW_DEFINITION IS_UPDATABLE',
  ],
  [
    "exec sys.sp_columns_managed null, 'dbo', 'Objects', null, 0",
    `TABLE_CATALOG TABLE_SCHEMA TABLE_NAME COLUMN_NAME ORDINAL_POSITION COLUMN_DEFAULT IS_NULLABLE DATA_TYPE
     CHARACTER_MAXIMUM_LENGTH CHARACTER_OCTET_LENGTH NUMERIC_PRECISION NUMERIC_PRECISION_RADIX NUMERIC_SCALE
     DATETIME_PRECISION CHARACTER_SET_CATALOG CHARACTER_SET_SCHEMA CHARACTER_SET_NAME COLLATION_CATALOG
     IS_SPARSE IS_COLUMN_SET IS_FILESTREAM`,
  ],
  [
    'exec sys.sp_indexes_managed null, null, null, null',
    'constraint_catalog constraint_schema constraint_name table_catalog table_schema table_name index_name type_desc',
  ],
  [
    'exec sys.sp_indexcolumns_managed null, null, null, null, null',
    `constraint_catalog constraint_schema constraint_name table_catalog table_schema table_name column_name
     ordinal_position KeyType index_name`,
  ],
  [
    `select a.name, t.assembly_class, assemblyproperty(a.name, 'VersionMajor') as major from sys.assemblies a
     join sys.assembly_types t on t.assembly_id = a.assembly_id`,
    'name assembly_class major',
  ],
  [
    'select cpu_count, physical_memory_kb, sqlserver_start_time from sys.dm_os_sys_info',
    'cpu_count physical_memory_kb sqlserver_start_time',
  ],
  ['{call sp_databases}', 'DATABASE_NAME DATABASE_SIZE REMARKS'],
  ["{ call sp_tables ('Objects', null, null, 'TABLE') }", 'TABLE_QUALIFIER TABLE_OWNER TABLE_NAME TABLE_TYPE REMARKS'],
  ['select a.name from {oj sys.objects a left outer join sys.schemas b on a.schema_id = b.schema_id}', 'name'],
  [
    "select {fn database()} as d, {fn user()} as u, {fn ucase('a')} as a, {fn length('abc')} as l, {fn now()} as n",
    'd u a l n',
  ],
];

forEachEngine((engine) => {
  describe('what tools ask at first contact', () => {
    let server: TestServer;
    let client: TestClient;

    before(async () => {
      server = await startServer({ engine, kinds: [config] });
      client = await server.connect(config.firstDatabase);
    });
    after(() => server[Symbol.asyncDispose]());

    for (const [statement, columns] of asked) {
      test(`answers ${statement.replaceAll(/\s+/g, ' ')}`, async () => {
        assert.deepEqual((await client.batch(statement)).columns[0], columns.split(/\s+/));
      });
    }

    test('sys.dm_os_performance_counters counts the sessions that sys.dm_exec_sessions lists', async () => {
      const { sets } = await client.batch(`select cntr_value as counted,
          (select count_big(*) from sys.dm_exec_sessions where is_user_process = 1) as listed
        from sys.dm_os_performance_counters where counter_name = 'User Connections'`);
      const [row] = sets[0] ?? [];
      assert.ok(Number(row?.['counted']) > 0);
      assert.equal(row?.['counted'], row?.['listed']);
    });

    test('sp_columns_managed and its kin tell of columns and indexes, for GetSchema of SqlClient', async () => {
      await using other = await server.connect('tempdb');
      await other.batch(
        'create table dbo.managed (id bigint not null constraint PK_managed primary key, n varchar(5) null)',
      );
      const rows = async (batch: string) => (await other.batch(batch)).sets[0]?.map((row) => Object.values(row)) ?? [];
      assert.deepEqual(
        (await rows("exec sp_columns_managed 'tempdb', 'dbo', 'managed'")).map((row) => [
          row[3],
          row[4],
          row[6],
          row[7],
          row[8],
        ]),
        [
          ['id', 1, 'NO', 'bigint', null],
          ['n', 2, 'YES', 'varchar', 5],
        ],
      );
      assert.deepEqual(await rows("exec sp_columns_managed 'tempdb', 'dbo', 'managed', 'n', 2"), []);
      assert.deepEqual(await rows("exec sp_columns_managed 'master', 'dbo', 'managed'"), []);
      const owner = ['tempdb', 'dbo', 'PK_managed', 'tempdb', 'dbo', 'managed'];
      assert.deepEqual(await rows("exec sp_indexes_managed @Table = 'managed'"), [
        [...owner, 'PK_managed', 'CLUSTERED'],
      ]);
      assert.deepEqual(await rows("exec sp_indexcolumns_managed @Table = 'managed'"), [
        [...owner, 'id', 1, 127, 'PK_managed'],
      ]);
    });

    test('escapes of ODBC give what T-SQL’s own functions give', async () => {
      const { sets } = await client.batch(
        "select {fn database()} as d, {fn ucase('a')} as a, {fn length('abc')} as l, {fn ifnull(null, 'x')} as i, {fn locate('b', 'abc')} as p",
      );
      assert.deepEqual(sets[0], [{ d: config.firstDatabase, a: 'A', l: 3, i: 'x', p: 2 }]);
    });

    for (const [statement, number] of [
      ['select * from sys.dm_io_virtual_file_stats(null)', 313],
      ['select * from sys.dm_exec_sql_text(0x01, 2)', 8144],
      ['select * from sys.dm_exec_sql_text(nothing)', 207],
      ['select * from sys.fn_nothing(1)', 208],
      ["{call sp_tables ('Objects'}", 102],
      ['select * from sys.schemas {limit1}', 102],
    ] as const) {
      test(`${statement} is error ${number}`, async () => {
        await assert.rejects(client.batch(statement), { number });
      });
    }
  });
});
