import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { config } from '../../../src/protocols/config/kind.ts';
import type { TestClient } from '../../support/client.ts';
import { forEachEngine } from '../../support/engines.ts';
import { startServer, type TestServer } from '../../support/server.ts';

forEachEngine((engine) => {
  describe('what the catalog says of keys, defaults and numbers', () => {
    let server: TestServer;
    let client: TestClient;
    const select = async (text: string) => (await client.batch(text)).sets[0] ?? [];

    before(async () => {
      server = await startServer({ engine, kinds: [config] });
      client = await server.connect('tempdb');
      await client.batch(`create table dbo.parent (
        id int identity(5, 2) not null constraint PK_parent primary key, code varchar(10) not null constraint UQ_parent unique)`);
      await client.batch(`create table dbo.child (
        a int not null default (7), parent_id int null constraint FK_child references dbo.parent (id) on delete cascade)`);
    });
    after(() => server[Symbol.asyncDispose]());

    test('sys.index_columns names the columns of an index as sys.columns numbers them', async () => {
      const rows = await select(`select i.name, c.name as [column], ic.key_ordinal
        from sys.indexes i join sys.index_columns ic on ic.object_id = i.object_id and ic.index_id = i.index_id
        join sys.columns c on c.object_id = ic.object_id and c.column_id = ic.column_id
        join sys.data_spaces d on d.data_space_id = i.data_space_id
        where i.object_id = object_id('dbo.parent') order by i.index_id, ic.key_ordinal`);
      assert.deepEqual(rows, [
        { name: 'PK_parent', column: 'id', key_ordinal: 1 },
        { name: 'UQ_parent', column: 'code', key_ordinal: 1 },
      ]);
    });

    test('sys.foreign_keys and its columns lead from the one table to the other', async () => {
      const rows =
        await select(`select f.name, object_name(f.parent_object_id) as child, object_name(f.referenced_object_id) as parent,
          pc.name as [column], rc.name as referred, f.delete_referential_action_desc as onDelete
        from sys.foreign_keys f join sys.foreign_key_columns k on k.constraint_object_id = f.object_id
        join sys.columns pc on pc.object_id = k.parent_object_id and pc.column_id = k.parent_column_id
        join sys.columns rc on rc.object_id = k.referenced_object_id and rc.column_id = k.referenced_column_id`);
      const expected = { name: 'FK_child', child: 'child', parent: 'parent', column: 'parent_id', referred: 'id' };
      assert.deepEqual(rows, [{ ...expected, onDelete: 'CASCADE' }]);
    });

    test('sys.default_constraints has the default that sys.columns points to', async () => {
      const rows = await select(`select c.name, d.definition, d.type from sys.columns c
        join sys.default_constraints d on d.object_id = c.default_object_id and d.parent_column_id = c.column_id
        where c.object_id = object_id('dbo.child')`);
      assert.deepEqual(rows, [{ name: 'a', definition: '((7))', type: 'D ' }]);
    });

    test('constraints are dropped by the names that the catalog tells, given or made', async () => {
      await client.batch(`create table dbo.dressed (id int primary key, a int constraint DF_a default 1, b int default 2, c int);
        alter table dbo.dressed add constraint DF_c default 3 for c; insert dbo.dressed (id) values (1)`);
      const names = async () =>
        (
          await select("select name from sys.objects where parent_object_id = object_id('dbo.dressed') order by name")
        ).map(({ name }) => String(name));
      const found = await names();
      assert.deepEqual(found.slice(1, 3), ['DF_a', 'DF_c']);
      assert.match(found.join(), /^DF__dressed__b__[0-9A-F]{8},DF_a,DF_c,PK__dressed____[0-9A-F]{16}$/);
      await client.batch('alter table dbo.dressed add d int null');
      assert.deepEqual(await names(), found, 'they keep their names');
      for (const name of found) await client.batch(`alter table dbo.dressed drop constraint [${name}]`);
      assert.deepEqual(await names(), []);
      await client.batch('insert dbo.dressed (id) values (1)');
      assert.deepEqual(await select('select a, b, c from dbo.dressed'), [
        { a: 1, b: 2, c: 3 },
        { a: null, b: null, c: null },
      ]);
    });

    test('sys.identity_columns has seed, increment and the last number', async () => {
      const rows = await select(`select name, cast(seed_value as int) as seed, cast(increment_value as int) as step,
        cast(last_value as int) as last from sys.identity_columns where object_id = object_id('dbo.parent')`);
      assert.deepEqual(rows, [{ name: 'id', seed: 5, step: 2, last: null }]);
    });

    test('INFORMATION_SCHEMA has the same keys', async () => {
      const keys = await select(`select t.CONSTRAINT_NAME, t.CONSTRAINT_TYPE, k.COLUMN_NAME, k.ORDINAL_POSITION
        from INFORMATION_SCHEMA.TABLE_CONSTRAINTS t join INFORMATION_SCHEMA.KEY_COLUMN_USAGE k
        on k.CONSTRAINT_NAME = t.CONSTRAINT_NAME and k.TABLE_NAME = t.TABLE_NAME order by t.CONSTRAINT_NAME`);
      assert.deepEqual(
        keys.map((row) => Object.values(row)),
        [
          ['FK_child', 'FOREIGN KEY', 'parent_id', 1],
          ['PK_parent', 'PRIMARY KEY', 'id', 1],
          ['UQ_parent', 'UNIQUE', 'code', 1],
        ],
      );
      const [referring] = await select(
        'select UNIQUE_CONSTRAINT_NAME, DELETE_RULE, UPDATE_RULE from INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS',
      );
      assert.deepEqual(referring, {
        UNIQUE_CONSTRAINT_NAME: 'PK_parent',
        DELETE_RULE: 'CASCADE',
        UPDATE_RULE: 'NO ACTION',
      });
    });

    test('roles have their members', async () => {
      const rows = await select(`select r.name as role, m.name as member from sys.database_role_members x
        join sys.database_principals r on r.principal_id = x.role_principal_id
        join sys.database_principals m on m.principal_id = x.member_principal_id`);
      assert.deepEqual(rows, [{ role: 'db_owner', member: 'dbo' }]);
      const server = await select(`select r.name as role, m.name as member from sys.server_role_members x
        join sys.server_principals r on r.principal_id = x.role_principal_id
        join sys.server_principals m on m.principal_id = x.member_principal_id`);
      assert.deepEqual(server, [{ role: 'sysadmin', member: 'sa' }]);
    });
  });
});
