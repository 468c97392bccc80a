import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { runBatches } from '../../../test/support/run-batches.ts';
import { openSession } from '../../../test/support/session.ts';

const table = `create table #t (id int primary key, n int check (n < 900), w nvarchar(9) default N'd')
  insert #t values (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c')`;

/** What the rows are after a MERGE, and the errors. */
async function after(statement: string) {
  const { sets, errors } = await runBatches(await openSession(), [table, statement, 'select * from #t order by id']);
  return { rows: sets.at(-1), sets: sets.slice(0, -1), errors };
}

const unchanged = [
  [1, 10, 'a'],
  [2, 20, 'b'],
  [3, 30, 'c'],
];

describe('MERGE', () => {
  test('does to each row what its clause says, the first one whose condition holds', async () => {
    const { rows, errors } = await after(
      `merge into #t with (holdlock) as t using (values (1, 100), (2, 200), (4, 400), (5, 500)) as s (id, n)
         on t.id = s.id and t.id > 0
       when matched and s.n = 100 then delete
       when matched then update set n = s.n, t.w += 'x'
       when not matched by target and s.id <> 5 then insert (id, n) values (s.id, s.n)
       when not matched by source and t.id = 3 then update set n = default
       option (recompile);`,
    );
    assert.deepEqual(errors, []);
    assert.deepEqual(rows, [
      [2, 200, 'bx'],
      [3, null, 'c'],
      [4, 400, 'd'],
    ]);
  });

  test('its OUTPUT sees $action, the row before and after, and the source', async () => {
    const merge = (
      output: string,
    ) => `merge #t as t using (select 2 as id, 7 as n union select 9, 8) as s on t.id = s.id
      when matched then update set n = s.n when not matched then insert (id, n) values (s.id, s.n)
      when not matched by source and t.id = 1 then delete output $action, inserted.id, deleted.n, s.* ${output};`;
    const expected = [
      ['INSERT', 9, null, 9, 8],
      ['UPDATE', 2, 20, 2, 7],
      ['DELETE', null, 10, null, null],
    ];
    assert.deepEqual((await after(merge(''))).sets, [expected]);
    const declared = 'declare @o table (a nvarchar(10), i int, d int, id int, n int) ';
    assert.deepEqual((await after(`${declared}${merge('into @o')} select * from @o`)).sets, [expected]);
  });

  test('counts what it did, and numbers what it inserts', async () => {
    const host = await openSession();
    const { sets, dones } = await batch(
      host,
      `create table #n (id int identity, v int)
       merge #n using (values (7, 0), (8, 1)) as i (v, position) on 1 = 0 when not matched then insert (v) values (i.v)
         output inserted.id, i.position;
       select @@rowcount, cast(scope_identity() as int)
       merge #n using (select 1 as x) as s on v = x when not matched then insert default values;`,
    );
    assert.deepEqual(
      sets.map(({ rows }) => rows),
      [
        [
          [1, 0],
          [2, 1],
        ],
        [[2, 2]],
      ],
    );
    assert.deepEqual(dones.at(-1), { command: 'merge', count: 1 });
  });

  test('changes a table variable, from a common table expression, a table variable or the table itself', async () => {
    const { sets, errors } = await runBatches(await openSession(), [
      `declare @t table (id int, v int), @s table (id int); insert @t values (1, 1), (2, 2) insert @s values (2);
       merge @t as t using @s as s on t.id = s.id when matched then update set v = (select max(v) from @t) * 10;
       with c as (select 3 as id) merge @t as t using c on t.id = c.id when not matched then insert values (c.id, 0);
       merge @t as t using @t as s on t.id = s.id - 1 when matched then update set v = s.v;
       select * from @t order by id`,
    ]);
    assert.deepEqual(errors, []);
    assert.deepEqual(sets, [
      [
        [1, 20],
        [2, 0],
        [3, 0],
      ],
    ]);
  });

  test('a row that two rows of the source match is changed by none: 8672', async () => {
    const twice = 'merge #t using (values (1), (1)) as s (id) on #t.id = s.id when matched then';
    for (const then of ['delete', 'update set n = 1']) {
      const { rows, errors } = await after(`${twice} ${then};`);
      assert.deepEqual([rows, errors], [unchanged, [8672]]);
    }
    assert.deepEqual((await after(`${twice.replace('then', 'and 1 = 0 then')} delete;`)).errors, []);
  });

  test('leaves nothing of what it did when one row cannot be changed', async () => {
    const merge = (insert: string, update = '1') => `merge #t as t using (values (1), (2), (8)) as s (id) on t.id = s.id
      when matched and s.id = 1 then delete when matched then update set n = ${update}
      when not matched then insert ${insert};`;
    for (const [number, statement] of [
      [2627, merge("values (3, 1, 'x')")],
      [547, merge('values (8, 901, null)')],
      [547, merge('values (8, 1, null)', '901')],
      [8134, merge('values (8, 1 / (s.id - 8), null)')],
      [515, merge('values (null, 1, null)')],
    ] as const) {
      const { rows, errors } = await after(statement);
      assert.deepEqual([errors, rows], [[number], unchanged], statement);
      const within = await after(`begin transaction update #t set w = 'z' ${statement} commit`);
      assert.deepEqual(
        within.rows?.map(([id, n]) => [id, n]),
        unchanged.map(([id, n]) => [id, n]),
      );
    }
  });

  test('is undone by a rollback', async () => {
    const merge = `merge #t as t using (values (1), (8)) as s (id) on t.id = s.id when matched then delete
      when not matched then insert (id) values (s.id);`;
    assert.deepEqual((await after(`begin transaction ${merge} rollback`)).rows, unchanged);
    assert.equal((await after(`begin transaction ${merge} commit`)).rows?.length, 3);
  });

  test('refuses values that do not fit the columns, and columns that there are not', async () => {
    const using = 'merge #t using (select 9 as id) as s on #t.id = s.id when not matched then insert';
    assert.deepEqual((await after(`${using} (id, n) values (1);`)).errors, [109]);
    assert.deepEqual((await after(`${using} (id) values (1, 2);`)).errors, [110]);
    assert.deepEqual((await after(`${using} values (1, 2);`)).errors, [213]);
    assert.deepEqual((await after(`${using} (nope) values (1);`)).errors, [207]);
    assert.deepEqual((await after(`${using} (id) values (s.nope);`)).errors, [4104]);
  });

  test('a clause for rows without a counterpart knows the columns of their own side only', async () => {
    const using = 'merge #t as t using (values (8, 80)) as s (id, n) on t.id = s.id when not matched';
    assert.deepEqual(
      (await after(`${using} and n = 80 then insert (id, n) values (id, n);`)).rows?.at(-1)?.slice(0, 2),
      [8, 80],
    );
    assert.deepEqual((await after(`${using} then insert (id) values (t.id);`)).errors, [4104]);
    assert.deepEqual((await after(`${using} by source and id > 1 then update set n = n + 1;`)).errors, []);
    assert.deepEqual((await after(`${using} by source and s.id > 1 then delete;`)).errors, [4104]);
  });
});
