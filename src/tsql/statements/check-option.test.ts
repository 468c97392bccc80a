import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runBatches } from '../../../test/support/run-batches.ts';
import { inTempDb, rows } from '../../../test/support/tempdb-session.ts';

/** A session with a view WITH CHECK OPTION, one over it without, and one over that with it again. */
async function withViews() {
  const host = await inTempDb('create table t (id int identity primary key, a int) insert t values (6), (7), (40)');
  const made = await runBatches(host, [
    'create view high as select id, a from t where a > 5 with check option',
    'create view middle as select id, a from high where a < 100',
    'create view low as select id, a from middle where a < 50 with check option',
    'create view pairs as select l.id, l.a, r.a as other from t l join t r on r.id = l.id where l.a > 5 with check option',
    'create view two as select top 2 id, a from t with check option',
  ]);
  assert.deepEqual(made.errors, []);
  return host;
}

/** Changes of a table with 6, 7 and 40, the error, and what the table has then. */
const changes: readonly (readonly [change: string, number: number | undefined, after: readonly number[]])[] = [
  ['insert high (a) values (8), (5)', 550, [6, 7, 40]],
  ['insert high (a) values (8)', undefined, [6, 7, 8, 40]],
  ['insert high (a) select a - 2 from high', 550, [6, 7, 40]],
  ['update high set a = a - 1', 550, [6, 7, 40]],
  ['update high set a += 1', undefined, [7, 8, 41]],
  ['insert middle (a) values (5)', 550, [6, 7, 40]],
  ['insert middle (a) values (200)', undefined, [6, 7, 40, 200]],
  ['update low set a = 60 where a = 6', 550, [6, 7, 40]],
  ['update pairs set a = 5', 550, [6, 7, 40]],
  ['update pairs set a = 9', undefined, [9, 9, 9]],
  ['with c as (select a from high where a = 6) update c set a = 1', 550, [6, 7, 40]],
  ['update d set a = 1 from (select a from middle) d', 550, [6, 7, 40]],
  ['merge high h using (values (6, 1)) s(a, b) on h.a = s.a when matched then update set a = s.b;', 550, [6, 7, 40]],
  ['merge high h using (values (3)) s(a) on h.a = s.a when not matched then insert (a) values (a);', 550, [6, 7, 40]],
  ['update two set a = 1', 4427, [6, 7, 40]],
  ['delete two', undefined, [40]],
  ['delete high where a = 6', undefined, [7, 40]],
];

describe('a view WITH CHECK OPTION', () => {
  for (const [change, number, after] of changes) {
    test(`${change}: ${number ?? 'no error'}`, async () => {
      const host = await withViews();
      const { errors } = await runBatches(host, [change]);
      assert.deepEqual(errors, number === undefined ? [] : [number]);
      assert.deepEqual(
        (await rows(host, 'select a from t order by a'))?.map(([a]) => a),
        after,
      );
    });
  }

  test('the catalog tells it', async () => {
    const host = await withViews();
    assert.deepEqual(
      await rows(host, "select name, with_check_option from sys.views where name in ('high', 'middle')"),
      [
        ['high', true],
        ['middle', false],
      ],
    );
    assert.deepEqual(
      await rows(
        host,
        "select table_name, check_option from information_schema.views where table_name in ('high', 'middle')",
      ),
      [
        ['high', 'CASCADE'],
        ['middle', 'NONE'],
      ],
    );
  });
});

test('a computed column is given no value by INSERT, directly or through a view: 271; 264 names the column that is listed twice', async () => {
  const host = await inTempDb('create table t (a int, b as a * 2)');
  await runBatches(host, ['create view v as select a, b from t']);
  const { errors } = await runBatches(host, ['insert t (b) values (1)', 'insert v (b) values (1)']);
  assert.deepEqual(errors, [271, 271]);
  assert.deepEqual(await rows(host, 'select count(*) from t'), [[0]]);
});

test('a view of constants has nothing to change: 4406', async () => {
  const host = await inTempDb('create view v as select 1 as a');
  assert.deepEqual((await runBatches(host, ['insert v values (1)', 'update v set a = 1'])).errors, [4406, 4406]);
});
