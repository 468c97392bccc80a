import assert from 'node:assert/strict';
import { closeSync, openSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../../../test/robustness/support/until.ts';
import { type SoonResult, syncThread } from './sync-thread.ts';

const never = () => assert.fail('the sync was waited for');

/** Syncs until the thread is there, which starts after many syncs in a row. */
async function firstSync(file: number): Promise<SoonResult> {
  let result: SoonResult = 'busy';
  await until('a thread syncs', () => {
    for (let count = 0; result === 'busy' && count < 100; count++) result = syncThread.sync(file, 10_000, never);
    return result !== 'busy';
  });
  return result;
}

test('a file is synced by a thread once there are many syncs, and an error of the file system has its code', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'granary-sync-'));
  const file = openSync(join(folder.path, 'file'), 'w');
  try {
    assert.deepEqual(await firstSync(file), { error: undefined });
    // Watched or not, every sync is answered.
    for (let count = 0; count < 100; count++)
      assert.deepEqual(syncThread.sync(file, 10_000, never), { error: undefined });
    const closed = 1_000_000;
    const result = syncThread.sync(closed, 10_000, never);
    assert.ok(typeof result === 'object');
    assert.equal((result.error as NodeJS.ErrnoException | undefined)?.code, 'EBADF');
    assert.deepEqual(syncThread.sync(file, 10_000, never), { error: undefined });
  } finally {
    closeSync(file);
  }
});

test('a sync that takes longer than its caller may wait goes on, and its end is told', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'granary-sync-'));
  const file = openSync(join(folder.path, 'file'), 'w');
  try {
    await firstSync(file);
    const { promise, resolve } = Promise.withResolvers<Error | undefined>();
    let result: SoonResult = 'busy';
    // No time at all: unless it ends at once, which it may.
    while (result !== 'goes on') result = syncThread.sync(file, 0, resolve);
    assert.equal(syncThread.sync(file, 10_000, never), 'busy', 'one at a time');
    assert.equal(await promise, undefined);
  } finally {
    closeSync(file);
  }
});
