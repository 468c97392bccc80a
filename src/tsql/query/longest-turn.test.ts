import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { longestUsualTurn } from '../../../test/support/longest-turn.ts';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';
import { busyMilliseconds } from '../../../test/support/yardstick.ts';

// Alone in its process: it measures how long others wait for the event loop.

/** Milliseconds that everybody else may have to wait for one statement. */
const bound = 50;

const rowsOf = (count: number) =>
  `select ordinal a, ordinal % 100 b from string_split(replicate(cast(N'a,' as nvarchar(max)), ${count - 1}), N',', 1)`;

const listed = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join();

/** Queries that read `#t`, with the number of its rows. */
const queries: readonly (readonly [rows: number, query: string])[] = [
  // Frames that are summed up anew for each row, as large as they may be, of many parts, and of peers.
  [1000, 'sum(a) over (order by a rows between 300 preceding and 300 following)'],
  [1000, 'max(str(a)) over (order by a rows between current row and unbounded following)'],
  [20_000, 'first_value(a) over (order by a rows between 100000 preceding and 100000 following)'],
  [20_000, 'last_value(a) over (partition by b order by a rows between 5 preceding and unbounded following)'],
  [2000, 'count(a) over (order by b range between current row and unbounded following)'],
  [20_000, 'percent_rank() over (order by b) + cume_dist() over (partition by b order by a)'],
  [20_000, 'ntile(7) over (order by b) + lag(a, 15000) over (order by b)'],
].map(([rows, value]) => [Number(rows), `select max(v) from (select ${value} v from #t) x`]);

/** Texts of JSON that are one long value, and what their column is. */
const values: readonly (readonly [piece: string, type: string])[] = [
  ['ab', 'varchar(max)'],
  ['ab', 'nvarchar(max)'],
  ['abab', 'varbinary(max)'],
  ['11', 'int'],
  ['  ', 'datetime2'],
  ['11', 'float'],
  ['aa', 'uniqueidentifier'],
  ['\\u0061', 'nvarchar(5)'],
];

describe('no query keeps others waiting for more than 50 ms', () => {
  for (const [rows, query] of queries) {
    test(`${query} of ${rows} rows`, async () => {
      const host = await openSession();
      assert.deepEqual((await batch(host, `select * into #t from (${rowsOf(rows)}) x`)).errors, []);
      const turn = await longestUsualTurn(async () => assert.deepEqual((await batch(host, query)).errors, []), bound);
      assert.ok(turn <= bound, `${turn} ms`);
    });
  }

  for (const [piece, type] of values) {
    test(`OPENJSON with a column of ${type} of 4000000 characters`, async () => {
      const host = await openSession();
      const text = `declare @x nvarchar(max) = replicate(cast(N'${piece}' as nvarchar(max)), ${4_000_000 / piece.length})
        set @x = N'["' + @x + N'"]' select datalength(a) from openjson(@x) with (a ${type} '$')`;
      const turn = await longestUsualTurn(() => batch(host, text), bound);
      assert.ok(turn <= bound, `${turn} ms`);
    });
  }

  test('OPENJSON with hundreds of columns, of rows that have none of them', async () => {
    const host = await openSession();
    const text = `declare @x nvarchar(max) = N'[' + replicate(cast(N'{"a":1},' as nvarchar(max)), 500) + N'{}]'
      select count(*) from openjson(@x) with (${listed(500, (at) => `c${at} int`)})`;
    const turn = await longestUsualTurn(async () => assert.deepEqual((await batch(host, text)).errors, []), bound);
    assert.ok(turn <= bound, `${turn} ms`);
  });

  test('FOR JSON of an object for each of 3500 columns takes no longer than of one for all', async () => {
    const host = await openSession();
    const timed = async (name: (at: number) => string): Promise<number> => {
      const text = `select top 200 ${listed(3500, (at) => `name as [${name(at)}]`)} from sys.all_columns for json path`;
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3; round++) {
        const before = busyMilliseconds();
        assert.deepEqual((await batch(host, text)).errors, []);
        least = Math.min(least, busyMilliseconds() - before);
      }
      return least;
    };
    const inOne = await timed((at) => `c.c${at}`);
    const inEach = await timed((at) => `c${at}.x`);
    // Nine times as long when all members were looked at for each column.
    assert.ok(inEach < 3 * inOne, `${inEach} ms, ${inOne} ms`);
  });
});
