import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TYPES } from 'tedious';
import type { RpcParameter, TestClient } from '../../support/client.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const { Int, NVarChar, TVP } = TYPES;

/** A table as tedious passes it: `name` may be left out of a call by RPC. */
const tvp = (rows: readonly (readonly unknown[])[], name?: string): RpcParameter => {
  const columns = [
    { name: 'id', type: Int },
    { name: 'word', type: NVarChar, length: 20 },
  ];
  return { name: 'rows', type: TVP, value: { ...(name === undefined ? {} : { schema: 'dbo', name }), columns, rows } };
};
const two = [
  [1, 'one'],
  [2, null],
];

describe('table types of tempdb', () => {
  let server: TestServer;
  let client: TestClient;
  before(async () => {
    server = await startServer({ kinds: [] });
    client = await server.connect('tempdb');
    await client.batch(`create type dbo.Words as table (id int primary key, word nvarchar(20) default N'none')`);
    await client.batch('create procedure take @rows dbo.Words readonly, @n int = 5 as select *, @n as n from @rows');
  });
  after(() => server[Symbol.asyncDispose]());

  test('MS-TDS 2.2.5.5.5: a procedure reads the rows of a table-valued parameter', async () => {
    const expected = [
      { id: 1, word: 'one', n: 5 },
      { id: 2, word: null, n: 5 },
    ];
    assert.deepEqual((await client.rpc('take', [tvp(two)])).sets, [expected]);
    assert.deepEqual((await client.rpc('take', [tvp(two, 'Words')])).sets, [expected]);
    assert.deepEqual((await client.rpc('take', [tvp([])])).sets, [[]]);
    assert.deepEqual((await client.rpc('take')).sets, [[]]);
  });

  test('a statement with parameters reads a table that is passed to it', async () => {
    const text = 'select r.word from @rows as r join (values (1), (3)) as v (id) on v.id = r.id';
    assert.deepEqual((await client.query(text, [tvp(two, 'Words')])).sets, [[{ word: 'one' }]]);
    await client.batch('create table #kept (id int, word nvarchar(20))');
    const { rowCount } = await client.query('insert #kept select * from @rows', [tvp(two, 'Words')]);
    assert.equal(rowCount, 2);
    await client.batch('drop table #kept');
  });

  test('a variable of a table type has its columns, keys and defaults, and is passed to procedures', async () => {
    const { sets } = await client.batch(
      `declare @w Words insert @w (id) values (7) exec take @w, 1 exec take @rows = @w exec take default, 2
       exec sp_executesql N'select count(*) as n from @r', N'@r Words readonly', @w`,
    );
    assert.deepEqual(sets, [[{ id: 7, word: 'none', n: 1 }], [{ id: 7, word: 'none', n: 5 }], [], [{ n: 1 }]]);
    await assert.rejects(client.batch('declare @w Words insert @w (id) values (7), (7)'), { number: 2627 });
  });

  test('what is passed must be of the type of the parameter', async () => {
    const refused = (number: number, params: RpcParameter[]) => assert.rejects(client.rpc('take', params), { number });
    await refused(2715, [tvp(two, 'Nothing')]);
    await client.batch('create type Others as table (id int, word nvarchar(20))');
    await refused(206, [tvp(two, 'Others')]);
    await refused(206, [{ name: 'rows', type: Int, value: 1 }]);
    await refused(206, [{ ...tvp(two, 'Words'), name: 'n' }]);
    await refused(2627, [tvp([...two, ...two])]);
    await refused(500, [{ name: 'rows', type: TVP, value: { columns: [{ name: 'id', type: Int }], rows: [[1]] } }]);
    await assert.rejects(client.batch('declare @o Others exec take @o'), { number: 206 });
    await assert.rejects(client.batch('declare @o table (id int) exec take @o'), { number: 206 });
    await assert.rejects(client.batch('declare @o Nothing select 1'), { number: 2715 });
    await client.batch('drop type Others');
    assert.deepEqual((await client.rpc('take', [tvp(two)])).sets[0]?.length, 2);
  });

  test('a table-valued parameter is READONLY: it must say so (352), nothing else may (346), and nobody changes it (10700)', async () => {
    const refused = (number: number, text: string) => assert.rejects(client.batch(text), { number });
    await refused(352, 'create procedure refused @rows Words as select 1');
    await refused(346, 'create procedure refused @n int readonly as select 1');
    for (const change of [`insert @rows values (1, 'a')`, 'update @rows set id = 2', 'delete @rows'])
      await assert.rejects(client.query(change, [tvp(two, 'Words')]), { number: 10_700 });
  });

  test('the catalog has table types, their columns, and the parameters that are of them', async () => {
    const { sets } = await client.batch(
      `select name, is_table_type, type_id('dbo.words') - user_type_id as n, type_name(user_type_id) as t
       from sys.types where is_user_defined = 1
       select c.name from sys.table_types as t join sys.columns as c on c.object_id = t.type_table_object_id
       select name, is_readonly, type_name(user_type_id) as t from sys.parameters where object_id = object_id('take')`,
    );
    assert.deepEqual(sets, [
      [{ name: 'Words', is_table_type: true, n: 0, t: 'Words' }],
      [{ name: 'id' }, { name: 'word' }],
      [
        { name: '@rows', is_readonly: true, t: 'Words' },
        { name: '@n', is_readonly: false, t: 'int' },
      ],
    ]);
    const odbc = (await client.batch(`exec sp_sproc_columns_100 'take', @column_name = '@rows'`)).sets[0]?.[0];
    assert.deepEqual([odbc?.['DATA_TYPE'], odbc?.['TYPE_NAME'], odbc?.['SS_TYPE_SCHEMA_NAME']], [-153, 'Words', 'dbo']);
    const managed = (await client.batch('exec sp_procedure_params_100_managed take')).sets[0]?.[1];
    assert.deepEqual([managed?.['MANAGED_DATA_TYPE'], managed?.['TYPE_NAME']], [30, 'Words']);
  });

  test('an administrator makes and drops table types, in tempdb', async () => {
    const refused = (number: number, text: string) => assert.rejects(client.batch(text), { number });
    await refused(219, 'create type words as table (id int)');
    await refused(2760, 'create type nowhere.T as table (id int)');
    await refused(3732, 'drop type Words');
    await refused(218, 'drop type Nothing');
    await client.batch('drop type if exists Nothing');
    const { sets } = await client.batch(
      `begin transaction create type T as table (id int) rollback select type_id('T') as made
       create type T as table (id int) begin transaction drop type T rollback select type_name(type_id('T')) as kept`,
    );
    assert.deepEqual(sets, [[{ made: null }], [{ kept: 'T' }]]);
    await client.batch('create schema words');
    await client.batch('create type words.T as table (id int)');
    await refused(3729, 'drop schema words');
    await client.batch('drop type words.T, T drop schema words');
    const elsewhere = await server.connect('master');
    await assert.rejects(elsewhere.batch('create type T as table (id int)'), { number: 262 });
  });
});
