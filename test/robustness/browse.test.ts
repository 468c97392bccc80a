import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { columnStatus, type Token } from '../../src/tds/token/index.ts';
import { int, nvarchar } from '../../src/tds/types/index.ts';
import { tdsVersions } from '../../src/tds/version.ts';
import type { TestServer } from '../support/server.ts';
import { startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { errors, only, rows } from './support/tokens.ts';

const { expression, key, hidden, differentName } = columnStatus;

/** What COLINFO says, as [table, status, name]. */
const said = (tokens: readonly Token[]) =>
  only(tokens, 'columnStatus')[0]?.columns.map(({ table, status, name }) => [table, status, name]);
const tables = (tokens: readonly Token[]) => only(tokens, 'tableNames')[0]?.tables;

describe('MS-TDS 2.2.7.3 and 2.2.7.23: browse mode', () => {
  let server: TestServer;
  let client: RawClient;
  before(async () => {
    server = await startLab();
    client = await RawClient.login(server.port);
    await client.batch(
      'create table #grain (id int identity(1, 1) primary key, name varchar(20) null, weight float not null, version timestamp)',
    );
    await client.batch("create table #sack (label char(3) not null) insert #grain (name, weight) values ('oat', 1.5)");
    await client.batch("insert #sack values ('abc')");
  });
  after(async () => {
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  for (const version of ['7.0', '7.1', '7.4'] as const) {
    test(`FOR BROWSE tells the tables and names of columns in TDS ${version}, before the rows`, async () => {
      await using other = await RawClient.login(server.port, { tdsVersion: tdsVersions[version] });
      await other.batch(
        'create table #a (one int not null) create table #b (two int null) insert #a values (1) insert #b values (2)',
      );
      const tokens = await other.batch('select one as uno, two, one + two as sum from #a, tempdb..#b for browse');
      assert.deepEqual(tables(tokens), [['#a'], version === '7.0' ? ['tempdb..#b'] : ['tempdb', '', '#b']]);
      assert.deepEqual(said(tokens), [
        [1, differentName, 'one'],
        [2, 0, undefined],
        [0, expression, undefined],
      ]);
      assert.deepEqual(
        tokens.map(({ token }) => token),
        ['columns', 'tableNames', 'columnStatus', 'row', 'done'],
      );
    });
  }

  test('columns of a view, derived table or common table expression are those of the tables that they pass through', async () => {
    await using tempdb = await RawClient.login(server.port, { database: 'tempdb' });
    await tempdb.batch('create table grist (id int identity primary key, name varchar(9), twice as id * 2)');
    await tempdb.batch('create view milled as select id, name as title, twice, id + 1 as next from grist');
    const queries = [
      'select * from milled',
      'select * from (select id, name as title, twice, id + 1 as next from grist) g',
      'with g as (select * from milled) select id, title, twice, next from g',
    ];
    for (const query of queries) {
      const tokens = await tempdb.batch(`${query} for browse`);
      assert.deepEqual(tables(tokens), [['grist']], query);
      assert.deepEqual(
        said(tokens),
        [
          [1, key, undefined],
          [1, differentName, 'name'],
          [1, 0, undefined],
          [0, expression, undefined],
        ],
        query,
      );
      assert.deepEqual(
        only(tokens, 'columns')[0]?.columns.map(({ isIdentity }) => isIdentity),
        [true, false, false, false],
        query,
      );
    }
    const twice = await tempdb.batch('select a.title, b.title as other from milled a, milled b for browse');
    assert.deepEqual(tables(twice), [['grist'], ['grist']]);
    for (const query of ['select id from milled group by id', 'select id from milled union all select 1'])
      assert.deepEqual(said(await tempdb.batch(`${query} for browse`)), [[0, expression, undefined]], query);
  });

  test('the key and the row version of a table come along hidden where the query leaves them out', async () => {
    const tokens = await client.batch('select g.name, s.label from #grain g, #sack s for browse');
    assert.deepEqual(tables(tokens), [['#grain'], ['#sack']]);
    assert.deepEqual(said(tokens), [
      [1, 0, undefined],
      [2, 0, undefined],
      [1, key | hidden, undefined],
      [1, hidden, undefined],
    ]);
    assert.deepEqual(
      only(tokens, 'columns')[0]?.columns.map(({ name }) => name),
      ['name', 'label', 'id', 'version'],
    );
    const all = await client.batch('select * from #grain for browse');
    assert.deepEqual(
      said(all)?.map(([, status]) => status),
      [key, 0, 0, 0],
    );
  });

  test('SET NO_BROWSETABLE ON asks for it in every SELECT, also for its form alone', async () => {
    const asked =
      'set no_browsetable on set fmtonly on select weight as w from #grain set fmtonly off set no_browsetable off';
    const tokens = await client.batch(asked);
    assert.deepEqual(said(tokens)?.[0], [1, differentName, 'weight']);
    assert.deepEqual(rows(tokens), []);
    assert.deepEqual(only(await client.batch('select weight from #grain'), 'columnStatus'), []);
  });

  test('groups and DISTINCT have no keys, and what is kept of rows is not browsed', async () => {
    assert.deepEqual(said(await client.batch('select distinct name from #grain for browse')), [
      [0, expression, undefined],
    ]);
    assert.deepEqual(said(await client.batch('select name from #grain group by name for browse')), [
      [0, expression, undefined],
    ]);
    const kept = await client.batch(
      "create table #kept (name varchar(20)) insert #kept exec('select name from #grain for browse') insert #kept select name from #grain for browse select count(*) from #kept",
    );
    assert.deepEqual([errors(kept), rows(kept)], [[], [[2]]]);
    assert.deepEqual(errors(await client.batch('select * from (select name from #grain for browse) as x')), [156]);
  });

  test('a cursor that is a copy tells the tables of its columns, too', async () => {
    const tokens = await client.rpc('sp_cursoropen', [
      { name: '@cursor', type: int, value: null, byRef: true },
      { name: '@stmt', type: nvarchar(4000), value: 'select name, dbid + 1 as next from master.dbo.sysdatabases' },
      { name: '@scrollopt', type: int, value: 8, byRef: true },
      { name: '@ccopt', type: int, value: 1, byRef: true },
    ]);
    assert.deepEqual(tables(tokens), [['master', 'dbo', 'sysdatabases']]);
    assert.deepEqual(
      said(tokens)?.map(([table, status]) => [table, status]),
      [
        [1, 0],
        [0, expression],
        [0, expression | hidden],
      ],
    );
  });

  test('MS-TDS 2.2.7.4: an identity column is told as such, and a text column with its table', async () => {
    const [columns] = only(await client.batch('select id, name, id + 1 from #grain'), 'columns');
    assert.deepEqual(
      columns?.columns.map(({ isIdentity }) => isIdentity),
      [true, false, false],
    );
    const long = await client.batch("create table #long (t text) select t, convert(text, 'x') from #long");
    assert.deepEqual(
      only(long, 'columns')[0]?.columns.map(({ table }) => table),
      [['#long'], ['']],
    );
  });

  test('MS-TDS 2.2.7.4: a computed column is told as such', async () => {
    const [columns] = only(
      await client.batch('create table #sums (a int, b as a + 1) select a, b, b + 1 from #sums'),
      'columns',
    );
    assert.deepEqual(
      columns?.columns.map(({ isComputed }) => isComputed),
      [undefined, true, undefined],
    );
  });
});
