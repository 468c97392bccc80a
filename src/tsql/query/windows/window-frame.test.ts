import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../../test/support/recorder.ts';
import { openSession } from '../../../../test/support/session.ts';

const values = '(values (1, 1, 10), (1, 2, 20), (1, 2, 30), (1, 4, 40), (2, 1, 50)) v(p, o, n)';

const frames: readonly [frame: string, sums: readonly (number | null)[]][] = [
  ['rows unbounded preceding', [10, 30, 60, 100, 50]],
  ['rows between unbounded preceding and current row', [10, 30, 60, 100, 50]],
  ['range between unbounded preceding and current row', [10, 60, 60, 100, 50]],
  ['rows between 1 preceding and 1 following', [30, 60, 90, 70, 50]],
  ['rows 2 preceding', [10, 30, 60, 90, 50]],
  ['rows between current row and unbounded following', [100, 90, 70, 40, 50]],
  ['range between current row and unbounded following', [100, 90, 90, 40, 50]],
  ['range current row', [10, 50, 50, 40, 50]],
  ['rows between unbounded preceding and unbounded following', [100, 100, 100, 100, 50]],
  ['rows between 2 preceding and 1 preceding', [null, 10, 30, 50, null]],
  ['rows between 1 following and 2 following', [50, 70, 40, null, null]],
  ['rows between 3 following and 1 following', [null, null, null, null, null]],
];

const refused: readonly [expression: string, number: number][] = [
  ['sum(n) over (partition by p rows unbounded preceding)', 10756],
  ['row_number() over (order by n rows unbounded preceding)', 10752],
  ['lag(n) over (order by n rows unbounded preceding)', 10752],
  ['sum(n) over (order by n range 1 preceding)', 4194],
  ['sum(n) over (order by n rows between current row and 1 preceding)', 4193],
  ['sum(n) over (order by n rows unbounded following)', 4193],
  ['sum(n) over (order by n rows between n preceding and current row)', 102],
  ['sum(distinct n) over (order by n)', 10759],
  ['row_number() over ()', 4112],
  ['cume_dist() over (partition by p)', 4112],
  ['lag(n) over (partition by p)', 4112],
  ['row_number() over (order by 1)', 5308],
  ["row_number() over (order by 'n')", 5309],
  ["string_agg(n, ',') over (order by n)", 4113],
  ['len(n) over (order by n)', 4113],
  ['sum(rank() over (order by n)) over (order by n)', 4109],
  ['sum(rank() over (order by n))', 4109],
  ['nosuch(n) over (order by n)', 195],
];

describe('a window', () => {
  for (const [frame, sums] of frames) {
    test(`${frame}: an aggregate sees the rows that SQL Server's sees`, async () => {
      const text = `select sum(n) over (partition by p order by o ${frame}) from ${values} order by n`;
      const { sets, errors } = await batch(await openSession(), text);
      assert.deepEqual(errors, []);
      assert.deepEqual(
        sets[0]?.rows.map(([sum]) => sum),
        sums,
      );
    });
  }

  for (const [expression, number] of refused) {
    test(`${expression}: error ${number}`, async () => {
      const { errors } = await batch(await openSession(), `select ${expression} from ${values}`);
      assert.deepEqual(
        errors.map((error) => error.number),
        [number],
      );
    });
  }

  test('FIRST_VALUE and LAST_VALUE are those of the frame, COUNT of an empty one is 0', async () => {
    const text = `select first_value(n) over (order by n rows between 1 preceding and 1 following),
      last_value(n) over (order by n rows between unbounded preceding and unbounded following),
      last_value(n) over (order by n rows between 2 following and 3 following),
      count(*) over (order by n rows between 2 following and 3 following) from ${values} order by n`;
    const { sets, errors } = await batch(await openSession(), text);
    assert.deepEqual(errors, []);
    assert.deepEqual(sets[0]?.rows, [
      [10, 50, 40, 2],
      [10, 50, 50, 2],
      [20, 50, 50, 1],
      [30, 50, null, 0],
      [40, 50, null, 0],
    ]);
  });

  test('PERCENT_RANK and CUME_DIST tell the share of the rows before a row, and of those up to its peers', async () => {
    const text = `select percent_rank() over (partition by p order by o), cume_dist() over (partition by p order by o)
      from ${values} order by n`;
    const { sets, errors } = await batch(await openSession(), text);
    assert.deepEqual(errors, []);
    assert.deepEqual(sets[0]?.rows, [
      [0, 0.25],
      [1 / 3, 0.75],
      [1 / 3, 0.75],
      [1, 1],
      [0, 1],
    ]);
    assert.deepEqual(
      sets[0]?.columns.map(({ type }) => type.name),
      ['float', 'float'],
    );
  });

  test('outside of the select list and ORDER BY there are no windows: error 4108', async () => {
    for (const clause of ['where row_number() over (order by n) = 1', 'where sum(n) over () > 1'])
      assert.deepEqual(
        (await batch(await openSession(), `select n from ${values} ${clause}`)).errors.map(({ number }) => number),
        [4108],
      );
  });

  test('a frame up to the end of thousands of rows is summed up once, not for each row', async () => {
    const host = await openSession();
    const sum = 'sum(cast(i as bigint)) over (order by i rows between current row and unbounded following)';
    const text = `with n(i) as (select 1 union all select i + 1 from n where i < 6000)
      select max(s), min(s) from (select ${sum} s from n) t option (maxrecursion 0)`;
    const before = process.cpuUsage().user;
    const { sets, errors } = await batch(host, text);
    const taken = process.cpuUsage().user - before;
    assert.deepEqual(errors, []);
    assert.deepEqual(
      sets[0]?.rows.map((row) => row.map(Number)),
      [[18_003_000, 6000]],
    );
    // One by one they would be 18 million additions: more than ten seconds.
    assert.ok(taken < 5_000_000, `${taken / 1000} ms of processor time`);
  });

  test('a frame that moves over thousands of rows keeps no more than one sum', async () => {
    const host = await openSession({ statementMemory: 4 * 1024 * 1024 });
    const text = `with n(i) as (select 1 union all select i + 1 from n where i < 3000)
      select max(s) from (select sum(cast(i as bigint)) over (order by i rows between 100 preceding and current row) s from n) t
      option (maxrecursion 0)`;
    const { sets, errors } = await batch(host, text);
    assert.deepEqual(errors, []);
    assert.deepEqual(
      sets[0]?.rows.map(([sum]) => Number(sum)),
      [297950],
    );
  });
});
