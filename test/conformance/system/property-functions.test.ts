import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { config } from '../../../src/protocols/config/kind.ts';
import type { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';

/** An expression, and what it is; #t is `(id int identity(3, 2) primary key, n nvarchar(10) null)` with two rows. */
const expected: readonly (readonly [expression: string, value: unknown])[] = [
  ["objectproperty(object_id('dbo.Objects'), 'IsUserTable')", 1],
  ["objectproperty(object_id('dbo.Objects'), 'IsView')", 0],
  ["objectproperty(object_id('dbo.Objects'), 'NoSuchProperty')", null],
  ["objectproperty(1, 'IsTable')", null],
  ["objectproperty(object_id('dbo.proc_putObject'), 'IsProcedure')", 1],
  ["objectproperty(object_id('sys.objects'), 'IsMSShipped')", 1],
  [
    `(select count(*) from INFORMATION_SCHEMA.KEY_COLUMN_USAGE where TABLE_NAME = 'Objects'
      and objectproperty(object_id(CONSTRAINT_SCHEMA + '.' + quotename(CONSTRAINT_NAME)), 'IsPrimaryKey') = 1)`,
    1,
  ],
  ["object_id('dbo.Objects', 'P')", null],
  ["(select count(*) from master..sysobjects where name = 'sysobjects')", 1],
  ["object_id('master.dbo.sysobjects') - object_id('master.dbo.sysobjects', 'V')", 0],
  ["object_name(object_id('dbo.proc_putObject', 'P'))", 'proc_putObject'],
  ["cast(objectpropertyex(object_id('dbo.Objects'), 'BaseType') as varchar(2))", 'U '],
  ["columnproperty(object_id('dbo.Objects'), 'Id', 'AllowsNull')", 0],
  ["columnproperty(object_id('dbo.Objects'), 'Nothing', 'AllowsNull')", null],
  ["columnproperty(object_id('tempdb..#t'), 'n', 'CharMaxLen')", 10],
  ["columnproperty(object_id('tempdb..#t'), 'id', 'CharMaxLen')", null],
  ["columnproperty(object_id('tempdb..#t'), 'id', 'IsIdentity')", 1],
  ["columnproperty(object_id('tempdb..#t'), 'n', 'ColumnId')", 2],
  ["objectproperty(object_id('tempdb..#t'), 'TableHasPrimaryKey')", 1],
  ["index_col('#t', 1, 1)", 'id'],
  ["index_col('#t', 1, 2)", null],
  ["indexproperty(object_id('tempdb..#t'), 'PK_t', 'IsClustered')", 1],
  ["col_name(object_id('dbo.Objects'), 1)", 'Id'],
  ["col_length('dbo.Objects', 'Id')", 16],
  ["col_length('#t', 'n')", 20],
  ["ident_current('#t')", 5],
  ["ident_seed('#t')", 3],
  ["ident_incr('#t')", 2],
  ['odbcscale(108, 4)', 4],
  ['odbcscale(231, 0)', null],
  ["parsename('a.b.[c.x].d', 2)", 'c.x'],
  ["parsename('a..b', 2)", null],
  ["parsename('[a]]b].c', 2)", 'a]b'],
  ["parsename('a.b.c.d.e', 1)", null],
  ["parsename('a]b', 1)", null],
  ["has_perms_by_name(null, null, 'VIEW SERVER STATE')", 1],
  ["has_perms_by_name('dbo.Objects', 'OBJECT', 'SELECT')", 1],
  ["has_perms_by_name('dbo.Nothing', 'OBJECT', 'SELECT')", null],
  ['convert(varchar(10), suser_sid(), 1)', '0x01'],
  ["left(object_definition(object_id('dbo.proc_putObject')), 16)", 'CREATE PROCEDURE'],
  ["object_definition(object_id('dbo.Objects'))", null],
];

forEachEngine((engine) => {
  describe('functions about the properties of objects', () => {
    let server: TestServer;
    let client: TestClient;

    before(async () => {
      server = await startServer({ engine, kinds: [config] });
      client = await server.connect(config.firstDatabase);
      await client.batch(`create table #t (id int identity(3, 2) constraint PK_t primary key, n nvarchar(10) null);
        insert #t (n) values ('a'), ('b')`);
    });
    after(() => server[Symbol.asyncDispose]());

    for (const [expression, value] of expected) {
      test(`${expression} is ${value}`, async () => {
        const { sets } = await client.batch(`select ${expression} as value`);
        assert.deepEqual(sets[0], [{ value }]);
      });
    }
  });
});
