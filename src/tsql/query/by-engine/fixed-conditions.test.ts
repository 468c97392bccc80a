import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Recorder } from '../../../../test/support/recorder.ts';
import { openSession } from '../../../../test/support/session.ts';
import { runBatch } from '../../run-batch.ts';

/** Combinations of the rows of these tables: more than can ever be tested. */
const tables = Array.from({ length: 250 }, (_, at) => `sys.databases t${at}`).join();
const limit = 20_000;

async function results(text: string): Promise<{ rows: unknown[][][]; errors: number[] }> {
  const recorder = new Recorder();
  await runBatch(await openSession(), text, recorder, AbortSignal.timeout(limit));
  return { rows: recorder.sets.map(({ rows }) => rows), errors: recorder.errors.map(({ number }) => number) };
}

describe('a condition that is the same for every row excludes them before any is read', () => {
  for (const [text, rows] of [
    [`select 1 from ${tables} where 1 = 0`, []],
    [`select 1 from ${tables} where t0.name <> t1.name and null = 1`, []],
    [`select count(*) from ${tables} where 1 = 0`, [[0]]],
    [`declare @n int = 5 select 1 from ${tables} where @n between 1 and 4`, []],
    [`select 1 where exists (select 1 from ${tables} where 1 = 0)`, []],
    [
      `select v.n, (select count(*) from ${tables} where v.n > 2) from (values (1), (2)) v (n)`,
      [
        [1, 0],
        [2, 0],
      ],
    ],
    [
      `declare @x nvarchar(max) = replicate(cast(N'a' as nvarchar(max)), 20000) select 1 from ${tables} where @x = N'a'`,
      [],
    ],
  ] as const) {
    test(text.replace(tables, '…'), async () => {
      assert.deepEqual(await results(text), { rows: [rows], errors: [] });
    });
  }
});

describe('a condition that names no column is tested for every row where it may change, fails or needs a query', () => {
  const v = '(values (1), (2), (3)) v (n)';
  for (const [text, rows, errors] of [
    [`select n from ${v} where 1 = 1 and n > 2`, [[3]], []],
    [`select n from ${v} where newid() <> newid()`, [[1], [2], [3]], []],
    [`declare @n int = 0 select @n = @n + n from ${v} where @n < 3 select @n`, [[3]], []],
    [`select n from ${v} where 1 / 0 = 1`, [], [8134]],
    [`declare @t table (n int) select n from @t where 1 / 0 = 1`, [], []],
    [`select n from ${v} where (select 1) = 1`, [[1], [2], [3]], []],
  ] as const) {
    test(text, async () => {
      assert.deepEqual(await results(text), { rows: [rows], errors });
    });
  }
});
