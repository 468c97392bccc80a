import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { Recorder } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';
import { pace } from '../../base/threads/turn.ts';
import { runBatch } from '../run-batch.ts';

const usual = pace.turnLength;
const long = "replicate(cast('x' as varchar(max)), 1000000)";
const declared = 'declare @v varchar(max), @w varchar(max)';

const cases: readonly (readonly [text: string, rows: readonly (readonly unknown[])[], errors?: readonly number[]])[] = [
  [`update @t set @v = ${long}, n = len(@v) select n, len(@v) from @t`, [[1_000_000, 1_000_000n]]],
  [`update @t set @v = cast(${long} as nvarchar(max)), @w = @v + 'y' select len(@w)`, [[1_000_001n]]],
  [`select @v = ${long}, @v = 'short' select @v`, [['short']]],
  [`select @v = 'short', @v = ${long}, @w = 'w' select len(@v), @w`, [[1_000_000n, 'w']]],
  [`insert @t (n, a) values (2, cast(${long} as nvarchar(max))) select len(a) from @t where n = 2`, [[1_000_000n]]],
  [`update @t set a = cast(${long} as nvarchar(max)) select len(a) from @t`, [[1_000_000n]]],
  [`insert @t (b) values (${long})`, [], [2628]],
  [`update @t set b = ${long}`, [], [2628]],
  [`set ansi_warnings off update @t set b = ${long} select b from @t`, [['xxxxx']]],
  [`insert @t (g) values (${long})`, [], [8169]],
  [`update @t set g = ${long}`, [], [8169]],
  [`insert @t (d) values ('<a>' + ${long} + '</a>') select datalength(d) from @t where d is not null`, [[2_000_014]]],
];

for (const turnLength of [usual, 0]) {
  describe(`long values are kept in the order of the statement, with turns of ${turnLength} ms`, () => {
    afterEach(() => {
      pace.turnLength = usual;
    });

    for (const [text, rows, errors = []] of cases) {
      test(text, async () => {
        const host = await openSession();
        const recorder = new Recorder();
        pace.turnLength = turnLength;
        const table =
          'declare @t table (n int, a varchar(max), b varchar(5), g uniqueidentifier, d xml) insert @t (n) values (1)';
        await runBatch(host, `${table} ${declared} ${text}`, recorder, new AbortController().signal);
        assert.deepEqual(
          recorder.errors.map(({ number }) => number),
          errors,
        );
        assert.deepEqual(recorder.sets[0]?.rows ?? [], rows);
      });
    }
  });
}
