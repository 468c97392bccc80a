import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../src/base/clock.ts';
import { getTimerLock } from '../../../../src/protocols/config/locks/get-timer-lock.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { guid } from '../farm.ts';
import { sharedFarm } from '../shared-farm.ts';
import { given, told } from '../told.ts';
import { minute, serverX, serverY } from './lock-calls.ts';

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 4.3.1: in addition, one client at a time has the lock of a content database, until it expires', async () => {
    const clock = new ManualClock();
    await withFarm(async ({ client }) => {
      const lock = async (ServerId: string | null, ContentDatabaseId: string | null = null) => {
        const answer = await client.call(getTimerLock, { ServerId, LockTimeout: 20, ContentDatabaseId });
        return [...told(answer), given(answer, 'LockStatus')];
      };
      const [first, second] = [guid('d0', 1), guid('d0', 2)];
      assert.deepEqual(await lock(serverX, first), [0, 2]);
      assert.deepEqual(await lock(serverX, first), [0, 2]);
      assert.deepEqual(await lock(serverY, first), [0, 1]);
      assert.deepEqual(await lock(serverY, second), [0, 2]);
      assert.deepEqual(await lock(serverX), [0, 2]);
      assert.deepEqual(await lock(serverY), [0, 1]);
      clock.advance(20 * minute);
      assert.deepEqual(await lock(serverY, first), [0, 1]);
      clock.advance(4);
      assert.deepEqual(await lock(serverY, first), [0, 3]);
      assert.deepEqual(await lock(serverX, first), [0, 1]);
      assert.deepEqual(await lock(null, first), [167, 4]);
    }, clock);
  });

  test('MS-WSSCFGD2 4.3.1: in addition, each database has a lock of its own when the call names no content database', () =>
    withFarm(async ({ client }) => {
      const lock = async (on: typeof client, ServerId: string) =>
        given(await on.call(getTimerLock, { ServerId, LockTimeout: 20 }), 'LockStatus');
      assert.equal(await lock(client, serverX), 2);
      await withFarm(async (other) => assert.equal(await lock(other.client, serverY), 2));
      assert.equal(await lock(client, serverY), 1);
    }));
});
