import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';

const numbers = 'with n(i) as (select 1 union all select i + 1 from n where i < 2000)';
const long = "replicate(cast(N'x' as nvarchar(4000)), 1000)";

test('INSERT … SELECT may put in more rows than a statement may hold: only a table that it reads itself is copied', async () => {
  const host = await openSession({ statementMemory: 1024 * 1024 });
  assert.deepEqual((await batch(host, 'create table #t (i int, text nvarchar(1000))')).errors, []);
  const filled = await batch(host, `${numbers} insert #t select i, ${long} from n option (maxrecursion 0)`);
  assert.deepEqual(filled.errors, []);
  assert.deepEqual((await batch(host, 'select count(*), max(len(text)) from #t')).sets[0]?.rows, [[2000, 1000]]);
  const copied = await batch(host, 'insert #t select * from #t');
  assert.deepEqual(
    copied.errors.map(({ number }) => number),
    [701],
  );
  const named = await batch(host, 'insert tempdb..#t select a.i, a.text from (select top 3 * from #T) a');
  assert.deepEqual(named.errors, []);
  assert.deepEqual((await batch(host, 'select count(*) from #t')).sets[0]?.rows, [[2003]]);
});

test('INSERT … SELECT that fails half-way leaves none of its rows', async () => {
  const host = await openSession();
  const text = `create table #t (i int check (i < 1500)) ${numbers} insert #t select i from n option (maxrecursion 0)`;
  assert.deepEqual(
    (await batch(host, text)).errors.map(({ number }) => number),
    [547],
  );
  assert.deepEqual((await batch(host, 'select count(*) from #t')).sets[0]?.rows, [[0]]);
});
