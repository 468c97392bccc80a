import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SharedLocks } from '../../engine/shared-locks.ts';
import { NodeAppLocks } from './node-app-locks.ts';

test('where the store has room for few locks, one login leaves half of them to the others: error 1204', async () => {
  const taken: string[] = [];
  const shared: SharedLocks = {
    most: 20,
    take: async (name) => taken.push(name) > 0,
    give: async () => {},
    tellWaits: async () => [],
    onLost: () => {},
  };
  const locks = new NodeAppLocks(shared, () => {});
  const lock = (login: string, name: string, spid: number) =>
    locks.acquire(
      { database: 'Jobs', principal: 'public', name },
      { owner: { spid, scope: 'Session', login }, mode: 'Exclusive', timeout: 0 },
      new AbortController().signal,
    );
  for (let at = 0; at < 10; at++) assert.equal(await lock('one', `one ${at}`, 51), 'granted');
  await assert.rejects(lock('one', 'one more', 52), { number: 1204 });
  assert.equal(await lock('other', 'other', 53), 'granted');
  assert.equal(taken.length, 11);
});
