import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runBatches } from '../../../test/support/run-batches.ts';
import { openSession } from '../../../test/support/session.ts';

const tables = `create table #t (id int identity primary key, g char(1), n int, twice as n * 2)
  create table #o (g char(1), w int)
  insert #t (g, n) values ('a', 1), ('a', 2), ('b', 3), ('b', 4), ('c', 5)
  insert #o values ('a', 100), ('b', 200)`;

/** The rows of #t after a statement, what it sent, and its errors. */
async function after(statement: string) {
  const { sets, errors } = await runBatches(await openSession(), [tables, statement, 'select id, g, n from #t']);
  return { rows: (sets.at(-1) ?? []).map((row) => row.join('')), sent: sets.slice(0, -1), errors };
}

const numbered = 'select *, row_number() over (partition by g order by n) as rn from #t';

describe('changes through a common table expression or derived table', () => {
  test('DELETE removes the rows of the table that are in it', async () => {
    const left = ['1a1', '3b3', '5c5'];
    for (const statement of [
      `with c as (${numbered}) delete from c where rn > 1`,
      `with c as (${numbered}) delete x from c as x where x.rn > 1`,
      `with c as (${numbered}) delete c from c as x where x.rn > 1`,
      `with c (i, j, k, l, m) as (${numbered}) delete c where m > 1`,
      `with a as (${numbered}), c as (select * from (select rn, id as k from a) as i where rn > 1) delete c`,
      `delete x from (${numbered}) as x where x.rn > 1`,
      `with c as (${numbered}) delete c from c join #o on #o.g = c.g where rn > 1 and w > 0`,
      `with c as (${numbered}) delete c where rn > 1 and exists (select * from c as d where d.id = c.id)`,
    ]) {
      const { rows, errors } = await after(statement);
      assert.deepEqual({ rows, errors }, { rows: left, errors: [] }, statement);
    }
  });

  test('TOP and ORDER BY within it say which rows are taken, and OUTPUT shows its columns', async () => {
    const { rows, sent, errors } = await after(
      `with q as (select top 2 g + 'x' as h, n from #t with (readpast) order by id desc) delete from q output deleted.*`,
    );
    assert.deepEqual(
      { rows, sent, errors },
      {
        rows: ['1a1', '2a2', '3b3'],
        sent: [
          [
            ['cx', 5],
            ['bx', 4],
          ],
        ],
        errors: [],
      },
    );
    assert.deepEqual((await after(`with q as (${numbered}) delete top (1) from q where rn = 2`)).rows, [
      '1a1',
      '3b3',
      '4b4',
      '5c5',
    ]);
  });

  test('UPDATE sets columns of the table from any of its columns', async () => {
    const set = await after(`with c as (select rn, n as m, id from (${numbered}) as i)
      update c set m += 10 * rn output deleted.m, inserted.m, inserted.rn where rn = 2`);
    assert.deepEqual(set, {
      rows: ['1a1', '2a22', '3b3', '4b24', '5c5'],
      sent: [
        [
          [2, 22, 2n],
          [4, 24, 2n],
        ],
      ],
      errors: [],
    });
    const derived = await after(`update x set n = 0 from (select top (1) n from #t order by n desc) as x`);
    assert.deepEqual(derived.rows.at(-1), '5c0');
  });

  test('UPDATE of a join changes the table whose columns are set, each row once', async () => {
    const joined = 'select t.n, o.w from #t as t left join #o as o on o.g = t.g';
    const { rows, errors } = await after(`with c as (${joined}) update c set n = isnull(w, -1)`);
    assert.deepEqual({ rows, errors }, { rows: ['1a100', '2a100', '3b200', '4b200', '5c-1'], errors: [] });
    const other = await after(`with c as (${joined}) update c set w = 7 where n = 1 select * from #o`);
    assert.deepEqual(other.sent, [
      [
        ['a', 7],
        ['b', 200],
      ],
    ]);
  });

  test('INSERT puts rows into the table', async () => {
    const { rows, sent, errors } = await after(
      `with c (k, v) as (select id, n from #t) insert into c output inserted.* values (8);
      with c as (select n, n + 1 as m from #t) insert c (n) select n from #t where id = 6`,
    );
    assert.deepEqual(
      { rows, sent, errors },
      {
        rows: ['1a1', '2a2', '3b3', '4b4', '5c5', '68', '78'],
        sent: [[[6, 8]]],
        errors: [],
      },
    );
  });

  test('table variables are changed likewise', async () => {
    const { sets, errors } = await runBatches(await openSession(), [
      `declare @t table (a int) insert @t values (1), (1), (2);
      with c as (select row_number() over (partition by a order by a) as n from @t) delete c where n = 2;
      with c as (select a from @t) update c set a = a + 1;
      with c as (select t.a from @t as t cross join (select 1 as b) as o) update c set a *= 2 where a = 3
      select * from @t`,
    ]);
    assert.deepEqual({ sets, errors }, { sets: [[[2], [6]]], errors: [] });
  });

  test('4403, 4405, 4406, 4426: what cannot be traced to one table is refused', async () => {
    const joined = 'select t.n, o.w from #t as t join #o as o on o.g = t.g';
    for (const [statement, number] of [
      ['with c as (select g, count(*) as n from #t group by g) delete c', 4403],
      ['with a as (select distinct g from #t), c as (select * from a) update c set g = 1', 4403],
      ['with c as (select n from #t union select w from #o) delete c', 4426],
      [`with c as (${joined}) delete c`, 4405],
      [`with c as (${joined}) update c set n = 1, w = 2`, 4405],
      [`with c as (${numbered}) update c set rn = 1`, 4406],
      [`with c as (${numbered}) insert c values ('d', 1, 1)`, 4406],
      [`with c as (${numbered}) update c set nowhere = 1`, 207],
      [`with c as (${numbered}) update c set twice = 1`, 271],
      [`with c as (${numbered}) update c set id = 1`, 8102],
      ['delete x from (select max(n) as n from #t) as x', 4418],
      ['delete x from (select n from #t union all select w from #o) as x', 4417],
      [`delete x from (${joined}) as x`, 4420],
      ['update x set n = 1 from (select n + 1 as n from #t) as x', 4421],
    ] as const) {
      const { rows, errors } = await after(statement);
      assert.deepEqual([errors, rows.length], [[number], 5], statement);
    }
  });
});

describe('MERGE into a common table expression', () => {
  test('matches, changes and adds rows of the table, and OUTPUT shows its columns', async () => {
    const { rows, sent, errors } = await after(
      `with c (g, m, rn) as (select g, n, row_number() over (order by id) from #t where g <> 'c')
       merge c using (values ('a', 1, 10), ('b', 3, 30), ('c', 5, 50)) as s (g, m, w) on c.g = s.g and c.m = s.m
       when matched and c.rn = 1 then update set m += s.w
       when matched then delete
       when not matched then insert (g, m) values (s.g, s.w)
       when not matched by source and c.rn = 4 then update set m = 0
       output $action, deleted.m, inserted.m, inserted.g, s.w;`,
    );
    assert.deepEqual({ rows, errors }, { rows: ['1a11', '2a2', '4b0', '5c5', '6c50'], errors: [] });
    assert.deepEqual(sent[0]?.toSorted(), [
      ['DELETE', 3, null, null, 30],
      ['INSERT', null, 50, 'c', 50],
      ['UPDATE', 1, 11, 'a', 10],
      ['UPDATE', 4, 0, 'b', null],
    ]);
  });

  test('one that inserts without a list gives values to the columns that do not fill themselves', async () => {
    const { rows, errors } = await after(
      `with c as (select id, n, g, twice from #t) merge c using (select 9 as n) as s on c.n = s.n
       when not matched then insert values (s.n, 'z');`,
    );
    assert.deepEqual({ last: rows.at(-1), errors }, { last: '6z9', errors: [] });
  });

  test('a view of tempdb is changed likewise', async () => {
    const { sets, errors } = await runBatches(await openSession(), [
      'use tempdb create table merged (id int, n int) insert merged values (1, 1), (2, 2), (3, 3)',
      'create view seen as select n as m, id from merged where id < 3',
      `merge seen as t using (values (2), (3)) as s (id) on t.id = s.id when matched then update set m = 20
       when not matched then insert (id) values (s.id * 10) when not matched by source then delete;`,
      'select id, n from merged drop view seen drop table merged',
    ]);
    assert.deepEqual(
      { sets, errors },
      {
        sets: [
          [
            [2, 20],
            [3, 3],
            [30, null],
          ],
        ],
        errors: [],
      },
    );
  });

  test('4403, 4405, 4406: what cannot be traced to one table is refused', async () => {
    const update = 'using (select 1 as x) as s on 1 = 1 when matched then update set n = 1;';
    for (const [query, number] of [
      ['select count(*) as n from #t', 4403],
      ['select t.n from #t as t, #o', 4405],
      ['select n + 1 as n from #t', 4406],
    ] as const) {
      assert.deepEqual((await after(`with c as (${query}) merge c ${update}`)).errors, [number], query);
    }
  });
});
