import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { runBatches } from '../../../test/support/run-batches.ts';
import { openSession } from '../../../test/support/session.ts';
import type { SessionHost } from '../../session/session-host.ts';
import { cursorMemory } from '../cursors/cursors.ts';

const rows = "create table #t (id int, name nvarchar(10)); insert #t values (1, N'a'), (2, N'b'), (3, N'c')";

async function hostWithRows(): Promise<SessionHost> {
  const host = await openSession();
  await batch(host, rows);
  return host;
}

/** What batches, one after another, return and raise. */
async function run(...texts: readonly string[]) {
  const host = await hostWithRows();
  return runBatches(host, texts);
}

describe('cursors of T-SQL', () => {
  test('a loop until @@FETCH_STATUS says that there are no more rows', async () => {
    const { sets, errors } = await run(`declare @id int, @name nvarchar(10), @all nvarchar(50) = N''
      declare c cursor local for select id, name from #t order by id desc
      open c
      fetch next from c into @id, @name
      while @@fetch_status = 0 begin set @all += @name; fetch next from c into @id, @name end
      close c deallocate c
      select @all, @@fetch_status`);
    assert.deepEqual(errors, []);
    assert.deepEqual(sets, [[['cba', -1]]]);
  });

  test('a cursor that scrolls goes everywhere', async () => {
    const { sets, errors } = await run(`declare c scroll cursor for select id from #t order by id
      open c fetch last from c fetch prior from c fetch first from c fetch absolute -1 from c fetch relative -1 from c
      fetch absolute 9 from c`);
    assert.deepEqual(errors, []);
    assert.deepEqual(sets, [[[3]], [[2]], [[1]], [[3]], [[2]], []]);
  });

  test('a cursor that does not scroll only goes forward', async () => {
    const { errors } = await run('declare c cursor for select id from #t open c fetch last from c');
    assert.deepEqual(errors, [16911]);
  });

  test('variables count as they were at DECLARE, rows as they were at OPEN', async () => {
    const { sets } = await run(`declare @least int = 2
      declare c cursor static for select id from #t where id >= @least
      set @least = 3
      open c delete #t fetch c select @@cursor_rows`);
    assert.deepEqual(sets, [[[2]], [[2]]]);
  });

  test('@@CURSOR_ROWS and CURSOR_STATUS tell what a cursor is', async () => {
    const { sets } = await run(`declare c cursor global static for select id from #t
      select cursor_status('global', 'c') open c select cursor_status('global', 'c'), @@cursor_rows
      close c select @@cursor_rows deallocate c select cursor_status('global', 'c')
      declare d cursor for select id from #t open d select @@cursor_rows`);
    assert.deepEqual(sets, [[[-1]], [[1, 3]], [[0]], [[-3]], [[-1]]]);
  });

  test('TYPE_WARNING says that a dynamic cursor becomes a copy', async () => {
    const { messages } = await batch(await hostWithRows(), 'declare c cursor dynamic type_warning for select 1');
    assert.deepEqual(
      messages.map(({ number }) => number),
      [16956],
    );
  });

  test('a global cursor outlives its batch, a local one does not', async () => {
    const declared = await run('declare c cursor for select id from #t open c', 'fetch c');
    assert.deepEqual(declared.sets, [[[1]]]);
    const local = await run('declare c cursor local for select id from #t open c', 'fetch c');
    assert.deepEqual(local.errors, [16916]);
  });

  const refused: readonly [what: string, text: string, number: number][] = [
    ['a name that is taken', 'declare c cursor for select 1 declare c cursor for select 2', 16915],
    ['a cursor that does not exist', 'open nowhere', 16916],
    ['a cursor that is open', 'declare c cursor for select 1 open c open c', 16905],
    ['a cursor that is not open', 'declare c cursor for select 1 fetch c', 16917],
    ['closing a cursor that is not open', 'declare c cursor for select 1 close c', 16917],
    [
      'more variables than columns',
      'declare @a int, @b int declare c cursor for select 1 open c fetch c into @a, @b',
      16924,
    ],
    [
      'an update through a cursor',
      'declare c cursor for select 1 open c update #t set id = 1 where current of c',
      16929,
    ],
    ['a delete through a cursor', 'declare c cursor for select 1 open c delete #t where current of c', 16929],
    ['a table that is not there', 'declare c cursor for select * from nowhere', 208],
    ['a query that assigns', 'declare @a int declare c cursor for select @a = 1', 141],
    ['a variable that was not declared', 'declare c cursor for select 1 open c fetch c into @a', 137],
  ];
  for (const [what, text, number] of refused) {
    test(`${what}: ${number}`, async () => {
      assert.deepEqual((await run(text)).errors, [number]);
    });
  }

  test('a rollback closes a cursor that is no copy, CURSOR_CLOSE_ON_COMMIT closes all', async () => {
    const open = (words: string): string => `begin tran declare c cursor ${words} for select id from #t open c`;
    assert.deepEqual((await run(open(''), 'rollback fetch c')).errors, [16917]);
    assert.deepEqual((await run(open('static'), 'commit fetch c')).sets, [[[1]]]);
    assert.deepEqual((await run(`set cursor_close_on_commit on ${open('static')}`, 'commit fetch c')).errors, [16917]);
  });

  test('rows that do not fit the memory of a session are refused', async () => {
    const count = Math.ceil(cursorMemory / 2_000_000) + 1;
    const wide = `with n as (select 1 as i union all select i + 1 from n where i < ${count})
      select i, replicate(cast(N'x' as nvarchar(max)), 1000000) as x from n`;
    const text = wide.replace('with n', 'declare c cursor for with n');
    const { errors } = await run(`${text} open c fetch c`);
    assert.deepEqual(errors, [50000, 16917]);
  });
});
