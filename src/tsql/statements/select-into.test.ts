import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runBatches } from '../../../test/support/run-batches.ts';
import { inTempDb, rows } from '../../../test/support/tempdb-session.ts';

async function withRows() {
  const host = await inTempDb(`create table t (id int identity(10, 5) primary key, a varchar(9))
    create table d (id decimal(9) identity, a int) insert d values (1)
    insert t values ('a'), ('b'), ('c') delete t where a = 'b'`);
  await runBatches(host, ['create view v as select id as n, a from t']);
  return host;
}

/** Queries whose new table goes on numbering, and the number of its next row. */
const numbered: readonly (readonly [query: string, next: string])[] = [
  ['select * into #n from t', '25'],
  ["select a, id as n into #n from t where a = 'a'", '15'],
  ['select top 0 id, a into #n from t', '10'],
  ['select n, a into #n from v', '25'],
  ['select id, a into #n from (select * from t) x', '25'],
  ['with x as (select id, a from t) select * into #n from x', '25'],
  ['select id, cast(a as varchar(9)) as a into #n from d', '2'],
];

/** Queries whose rows are not those of one table. */
const plain: readonly string[] = [
  'select t.id, t.a into #n from t join d on d.a = 1',
  'select id, a into #n from t union all select 1, null',
  'select id, id as other, a into #n from t',
  'select id + 0 as id, a into #n from t',
  'select id, max(a) as a into #n from t group by id',
  'select id, a into #n from (select t.id, t.a from t cross join d) x',
];

const isNumbered =
  "select max(cast(is_identity as int)) from tempdb.sys.columns where object_id = object_id('tempdb..#n')";

describe('SELECT INTO', () => {
  for (const [query, next] of numbered)
    test(`${query}: the new table goes on with ${next}`, async () => {
      const host = await withRows();
      const { errors } = await runBatches(host, [query, "insert #n (a) values ('x')"]);
      assert.deepEqual(errors, []);
      assert.deepEqual(await rows(host, isNumbered), [[1]]);
      assert.deepEqual(await rows(host, 'select cast(@@identity as varchar(9))'), [[next]]);
    });

  for (const query of plain)
    test(`${query}: no column of the new table is numbered`, async () => {
      const host = await withRows();
      assert.deepEqual((await runBatches(host, [query])).errors, []);
      assert.deepEqual(await rows(host, isNumbered), [[0]]);
    });
});
