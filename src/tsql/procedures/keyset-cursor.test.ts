import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { call, fetch, keyset, n, open, text } from '../../../test/support/api-cursor.ts';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';
import type { Argument } from '../../procedure/run/bind.ts';
import type { SessionHost } from '../../session/session-host.ts';

describe('sp_cursor on a cursor of keys', () => {
  const scrollLocks = 2;
  const insertRow = 4;
  const updateRow = 1;
  const named = (name: string, value: number): Argument => ({ ...n(value), name });
  const opened = async (host: SessionHost, table: string) => {
    await batch(host, table);
    const { out: outputs } = await open(host, 'select id from #t', keyset, scrollLocks);
    assert.deepEqual(outputs.slice(1, 3), [keyset, scrollLocks]);
    return outputs[0] ?? 0;
  };
  const ids = async (host: SessionHost, handle: number) => (await fetch(host, handle, 1, 0, 9)).rows;

  test('what the cursor inserts follows the rows that it had; what others insert it does not see', async () => {
    const host = await openSession();
    const handle = await opened(host, 'create table #t (id int primary key) insert #t values (5), (7)');
    await batch(host, 'insert #t values (6)');
    await call(host, 'sp_cursor', n(handle), n(insertRow), n(0), text('#t'), named('@id', 1));
    assert.deepEqual(await ids(host, handle), [
      [5, 1],
      [7, 1],
      [1, 1],
    ]);
  });

  test('a row whose key the cursor changes is gone from its place and follows the others', async () => {
    const host = await openSession();
    const handle = await opened(host, 'create table #t (id int primary key) insert #t values (5), (7)');
    await fetch(host, handle, 1, 0, 1);
    await call(host, 'sp_cursor', n(handle), n(updateRow), n(1), text('#t'), named('@id', 9));
    assert.deepEqual(await ids(host, handle), [
      [0, 2],
      [7, 1],
      [9, 1],
    ]);
  });

  test('one value without a name may be the statement itself', async () => {
    const host = await openSession();
    const handle = await opened(host, 'create table #t (id int identity primary key, n int default 3)');
    await call(host, 'sp_cursor', n(handle), n(insertRow), n(0), text(''), text('insert #t default values'));
    await call(host, 'sp_cursor', n(handle), n(insertRow), n(0), text(''), text('values (4)'));
    await fetch(host, handle, 1, 0, 1);
    await call(host, 'sp_cursor', n(handle), n(updateRow), n(1), text(''), text('set n = n * 10'));
    assert.deepEqual((await batch(host, 'select * from #t')).sets[0]?.rows, [
      [1, 30],
      [2, 4],
    ]);
    await assert.rejects(
      call(host, 'sp_cursor', n(handle), n(insertRow), n(0), text(''), text('update #t set n = 1')),
      {
        number: 16902,
      },
    );
  });

  test('the block before one that is too near the first row begins with that row, and returns 2', async () => {
    const host = await openSession();
    const handle = await opened(host, 'create table #t (id int primary key) insert #t values (1), (2), (3), (4)');
    const prior = 4;
    await fetch(host, handle, 2, 0, 1);
    await fetch(host, handle, 2, 0, 2);
    const cut = await fetch(host, handle, prior, 0, 2);
    assert.deepEqual([cut.status, cut.rows?.map(([id]) => id)], [2, [1, 2]]);
    await fetch(host, handle, 2, 0, 2);
    assert.equal((await fetch(host, handle, prior, 0, 2)).status, 0);
  });
});
