import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runBatches } from '../../../test/support/run-batches.ts';
import { inTempDb, rows } from '../../../test/support/tempdb-session.ts';

/** A session with a table, a view of all of its columns, and one bound to it. */
async function withViews() {
  const host = await inTempDb('create table t (a int, b int) insert t values (1, 2)');
  const made = await runBatches(host, [
    'create view v as select * from t',
    'create view bound with schemabinding as select a from dbo.t',
    'create view above with schemabinding as select a from dbo.bound',
  ]);
  assert.deepEqual(made.errors, []);
  return host;
}

/** The columns of a view in the catalog. */
const columnsOf = (view: string) =>
  `select name from sys.columns where object_id = object_id('${view}') order by column_id`;

describe('sp_refreshview and sp_refreshsqlmodule', () => {
  for (const call of ["sp_refreshview 'v'", "exec sp_refreshsqlmodule N'dbo.v'", 'exec tempdb..sp_refreshview v']) {
    test(`${call}: the view has the columns that its query has now`, async () => {
      const host = await withViews();
      const { errors, sets } = await runBatches(host, ['alter table t add c int', call, 'select * from v']);
      assert.deepEqual(errors, []);
      assert.deepEqual(sets, [[[1, 2, null]]]);
      assert.deepEqual(await rows(host, columnsOf('v')), [['a'], ['b'], ['c']]);
    });
  }

  test('is undone by a rollback', async () => {
    const host = await withViews();
    await runBatches(host, ['alter table t add c int', "begin transaction exec sp_refreshview 'v' rollback"]);
    assert.deepEqual(await rows(host, columnsOf('v')), [['a'], ['b']]);
  });

  test('15165 for what is no view, 208 for a view whose table is gone', async () => {
    const host = await withViews();
    await runBatches(host, [
      'create procedure p as select * from v',
      'create table u (a int)',
      'create view w as select a from u',
      'drop table u',
    ]);
    const calls = [
      "sp_refreshview 'nothing'",
      "sp_refreshview 't'",
      "sp_refreshview 'p'",
      "sp_refreshsqlmodule 'p'",
      "sp_refreshview 'w'",
    ];
    assert.deepEqual((await runBatches(host, calls)).errors, [15165, 15165, 15165, 208]);
  });
});

describe('a view that is renamed', () => {
  test('has its rows under the new name only, and its text as it was', async () => {
    const host = await withViews();
    assert.deepEqual((await runBatches(host, ["exec sp_rename 'dbo.v', 'w'"])).errors, []);
    assert.deepEqual(await rows(host, 'select a, b from w'), [[1, 2]]);
    assert.deepEqual((await runBatches(host, ['select * from v'])).errors, [208]);
    assert.match(String((await rows(host, "select object_definition(object_id('w'))"))?.[0]?.[0]), /view v as/i);
  });

  test('has its name back after a rollback', async () => {
    const host = await withViews();
    await runBatches(host, ["begin transaction exec sp_rename 'v', 'w', 'OBJECT' rollback"]);
    assert.deepEqual(await rows(host, 'select a, b from v'), [[1, 2]]);
    assert.deepEqual((await runBatches(host, ['select * from w'])).errors, [208]);
  });

  test('takes no name that another object has: 15335', async () => {
    const host = await withViews();
    const calls = ["exec sp_rename 'v', 't'", "exec sp_rename 'v', 'bound'", "exec sp_rename 't', 'v'"];
    assert.deepEqual((await runBatches(host, calls)).errors, [15335, 15335, 15335]);
  });
});

/** What is refused for an object that a view is bound to, or for a view as if it were a table. */
const refused: readonly (readonly [text: string, number: number])[] = [
  ["exec sp_rename 't', 'u'", 15336],
  ["exec sp_rename 't.a', 'x', 'COLUMN'", 15336],
  ["exec sp_rename 'bound', 'x'", 15336],
  ['alter table t drop column a', 5074],
  ['alter table t alter column a bigint', 5074],
  ['alter view bound as select a from dbo.t', 3729],
  ['create or alter view bound as select 1 as a', 3729],
  ['truncate table v', 4708],
  ['alter table v add c int', 4909],
  ['create index i on v (a)', 1939],
  ['alter view t as select 1 as a', 2010],
  ['create or alter view t as select 1 as a', 2010],
];

describe('what views keep as it is', () => {
  for (const [text, number] of refused) {
    test(`${text}: error ${number}`, async () => {
      const host = await withViews();
      assert.deepEqual((await runBatches(host, [text])).errors, [number]);
      assert.deepEqual(await rows(host, 'select v.a, v.b, above.a from v, above'), [[1, 2, 1]]);
    });
  }

  test('columns that no bound view names may change', async () => {
    const host = await withViews();
    const { errors } = await runBatches(host, [
      'alter table t alter column b bigint',
      "exec sp_rename 't.b', 'c', 'COLUMN'",
    ]);
    assert.deepEqual(errors, []);
  });

  test('OBJECTPROPERTY tells of a view that it is bound', async () => {
    const host = await withViews();
    const property = (view: string) => `objectproperty(object_id('${view}'), 'IsSchemaBound')`;
    assert.deepEqual(await rows(host, `select ${property('bound')}, ${property('v')}`), [[1, 0]]);
  });
});
