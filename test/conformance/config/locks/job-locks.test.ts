import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../src/base/clock.ts';
import { addTimerLockForJob } from '../../../../src/protocols/config/locks/add-timer-lock-for-job.ts';
import { deleteAllMarkedTimerLocks } from '../../../../src/protocols/config/locks/delete-all-marked-timer-locks.ts';
import { deleteAllTimerLocksAndRunningJobs } from '../../../../src/protocols/config/locks/delete-all-timer-locks-and-running-jobs.ts';
import { refreshAllTimerLocks } from '../../../../src/protocols/config/locks/refresh-all-timer-locks.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { guid } from '../farm.ts';
import { sharedFarm } from '../shared-farm.ts';
import { given, told } from '../told.ts';
import { ask, job, minute, release, serverX, serverY } from './lock-calls.ts';

const otherJob = guid('b0', 2);
/** The least that a datetime can tell apart, rounded up. */
const tick = 4;

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);
  const withClock = (work: (client: TestClient, clock: ManualClock) => Promise<void>) => {
    const clock = new ManualClock();
    return withFarm(({ client }) => work(client, clock), clock);
  };

  test('MS-WSSCFGD2 3.1.5.2: @LockStatus is 2 for a new job and for the one that has the lock already', () =>
    withClock(async (client) => {
      assert.deepEqual(await ask(client, serverX, 20), [2, null]);
      assert.deepEqual(await ask(client, serverX, 20), [2, null]);
      assert.deepEqual(await ask(client, serverX, 20, otherJob), [2, null]);
    }));

  test('MS-WSSCFGD2 3.1.5.2: @LockStatus is 1 while another client has the lock, up to its very timeout', () =>
    withClock(async (client, clock) => {
      await ask(client, serverX, 20);
      assert.deepEqual(await ask(client, serverY, 20), [1, null]);
      clock.advance(20 * minute);
      assert.deepEqual(await ask(client, serverY, 20), [1, null]);
      assert.deepEqual(await ask(client, serverX, 20), [2, null]);
    }));

  test('MS-WSSCFGD2 3.1.5.2: @LockStatus is 3 and tells the last holder when its lock has expired', () =>
    withClock(async (client, clock) => {
      await ask(client, serverX, 20);
      clock.advance(20 * minute + tick);
      assert.deepEqual(await ask(client, serverY, 20), [3, serverX]);
      assert.deepEqual(await ask(client, serverX, 20), [1, null]);
    }));

  test('MS-WSSCFGD2 3.1.5.2: the timeout is that of the call, by the clock of the server', () =>
    withClock(async (client, clock) => {
      await ask(client, serverX, 1000);
      clock.advance(5 * minute);
      assert.deepEqual(await ask(client, serverY, 5), [1, null]);
      assert.deepEqual(await ask(client, serverY, null), [1, null]);
      assert.deepEqual(await ask(client, serverY, 4), [3, serverX]);
      clock.advance(tick);
      assert.deepEqual(await ask(client, serverX, 0), [3, serverY]);
    }));

  test('MS-WSSCFGD2 3.1.5.2: with a timeout of 0 the lock of another client is expired, however young it is', () =>
    withClock(async (client) => {
      await ask(client, serverX, 20);
      assert.deepEqual(await ask(client, serverY, 0), [3, serverX]);
      assert.deepEqual(await ask(client, serverY, 0), [2, null]);
      assert.deepEqual(await ask(client, serverX, 0), [3, serverY]);
    }));

  test('MS-WSSCFGD2 3.1.5.2: asking again renews the lease of the holder, expired or not', () =>
    withClock(async (client, clock) => {
      await ask(client, serverX, 20);
      clock.advance(30 * minute);
      assert.deepEqual(await ask(client, serverX, 20), [2, null]);
      clock.advance(15 * minute);
      assert.deepEqual(await ask(client, serverY, 20), [1, null]);
    }));

  test('MS-WSSCFGD2 3.1.5.2: being refused does not renew the lease of the holder', () =>
    withClock(async (client, clock) => {
      await ask(client, serverX, 20);
      clock.advance(15 * minute);
      assert.deepEqual(await ask(client, serverY, 20), [1, null]);
      clock.advance(6 * minute);
      assert.deepEqual(await ask(client, serverY, 20), [3, serverX]);
    }));

  test('MS-WSSCFGD2 3.1.5.2: a marked lock is still held until it expires, and then tells no last holder', () =>
    withClock(async (client, clock) => {
      await ask(client, serverX, 20);
      await release(client, serverX);
      assert.deepEqual(await ask(client, serverY, 20), [1, null]);
      clock.advance(20 * minute + tick);
      assert.deepEqual(await ask(client, serverY, 20), [3, null]);
      // The mark went with the old holder: the next one to overtake is told of serverY.
      clock.advance(20 * minute + tick);
      assert.deepEqual(await ask(client, serverX, 20), [3, serverY]);
    }));

  test('MS-WSSCFGD2 3.1.5.2: asking for a lock that one has marked takes the mark off', () =>
    withClock(async (client, clock) => {
      await ask(client, serverX, 20);
      await release(client, serverX);
      assert.deepEqual(await ask(client, serverX, 20), [2, null]);
      clock.advance(20 * minute + tick);
      await client.call(deleteAllMarkedTimerLocks, { LockTimeout: 20 });
      assert.deepEqual(await ask(client, serverY, 20), [3, serverX]);
    }));

  test('MS-WSSCFGD2 3.1.5.2: returns 167 with @LockStatus 4 for a NULL job or server, and locks nothing', () =>
    withClock(async (client) => {
      for (const broken of [{ JobId: null }, { ServerId: null }]) {
        const answer = await client.call(addTimerLockForJob, {
          JobId: job,
          ServerId: serverX,
          LockTimeout: 20,
          ...broken,
        });
        assert.deepEqual(told(answer), [167]);
        assert.deepEqual([given(answer, 'LockStatus'), given(answer, 'LockExpiredServerId')], [4, null]);
      }
      assert.deepEqual(await ask(client, serverY, 20), [2, null]);
    }));

  test('MS-WSSCFGD2 3.1.5.10: deletes the lock of the client given, or of whoever has it; 31 when there is none', () =>
    withClock(async (client) => {
      assert.deepEqual(await release(client, serverX, false), [31]);
      await ask(client, serverX, 20);
      assert.deepEqual(await release(client, serverY, false), [31]);
      assert.deepEqual(await ask(client, serverY, 20), [1, null]);
      assert.deepEqual(await release(client, serverX, false), [0]);
      assert.deepEqual(await ask(client, serverY, 20), [2, null]);
      assert.deepEqual(await release(client, null, false), [0]);
      assert.deepEqual(await release(client, null, false), [31]);
      assert.deepEqual(await ask(client, serverX, 20), [2, null]);
    }));

  test('MS-WSSCFGD2 3.1.5.10: marks by default, keeps the lease as it is, and marks again with code 0', () =>
    withClock(async (client, clock) => {
      for (const markOnly of [undefined, true, null]) {
        await ask(client, serverX, 20);
        clock.advance(10 * minute);
        assert.deepEqual(await release(client, serverX, markOnly), [0]);
        assert.deepEqual(await release(client, null, markOnly), [0]);
        assert.deepEqual(await release(client, serverY, markOnly), [31]);
        assert.deepEqual(await ask(client, serverY, 20), [1, null]);
        clock.advance(10 * minute + tick);
        assert.deepEqual(await ask(client, serverY, 20), [3, null]);
        await release(client, null, false);
      }
    }));

  test('MS-WSSCFGD2 3.1.5.6: deletes locks that are both marked and expired', () =>
    withClock(async (client, clock) => {
      const [markedOld, old, markedNew] = [guid('b1', 1), guid('b1', 2), guid('b1', 3)];
      await ask(client, serverX, 20, markedOld);
      await ask(client, serverX, 20, old);
      await release(client, serverX, true, markedOld);
      clock.advance(20 * minute);
      await ask(client, serverX, 20, markedNew);
      await release(client, serverX, true, markedNew);
      const clear = async (LockTimeout: number | null) =>
        told(await client.call(deleteAllMarkedTimerLocks, { LockTimeout }));
      assert.deepEqual(await clear(20), [0]);
      assert.deepEqual(await clear(null), [0]);
      assert.deepEqual(await ask(client, serverY, 1000, markedOld), [1, null]);
      clock.advance(tick);
      assert.deepEqual(await clear(20), [0]);
      assert.deepEqual(await ask(client, serverY, 1000, markedOld), [2, null]);
      assert.deepEqual(await ask(client, serverY, 1000, old), [1, null]);
      assert.deepEqual(await ask(client, serverY, 1000, markedNew), [1, null]);
    }));

  test('MS-WSSCFGD2 3.1.5.6: with a timeout of 0 a marked lock is expired, however young it is', () =>
    withClock(async (client) => {
      await ask(client, serverX, 20);
      await ask(client, serverX, 20, otherJob);
      await release(client, serverX, true);
      assert.deepEqual(told(await client.call(deleteAllMarkedTimerLocks, { LockTimeout: 0 })), [0]);
      assert.deepEqual(await ask(client, serverY, 20), [2, null]);
      assert.deepEqual(await ask(client, serverY, 20, otherJob), [1, null]);
    }));

  test('MS-WSSCFGD2 3.1.5.7: deletes the marked locks of the client, whatever their age, and no other lock', () =>
    withClock(async (client) => {
      const [marked, unmarked, others] = [guid('b1', 1), guid('b1', 2), guid('b1', 3)];
      for (const each of [marked, unmarked]) await ask(client, serverX, 20, each);
      await ask(client, serverY, 20, others);
      await release(client, serverX, true, marked);
      await release(client, serverY, true, others);
      const clear = { ServerId: serverX, KeepPauseJobs: true };
      assert.deepEqual(told(await client.call(deleteAllTimerLocksAndRunningJobs, clear)), [0]);
      assert.deepEqual(await ask(client, serverY, 20, marked), [2, null]);
      assert.deepEqual(await ask(client, serverY, 20, unmarked), [1, null]);
      assert.deepEqual(await ask(client, serverX, 20, others), [1, null]);
    }));

  test('MS-WSSCFGD2 3.1.5.57: renews all locks of the client, also expired ones, but none that is marked', () =>
    withClock(async (client, clock) => {
      const [first, second, marked, others] = [guid('b1', 1), guid('b1', 2), guid('b1', 3), guid('b1', 4)];
      for (const each of [first, second, marked]) await ask(client, serverX, 20, each);
      await ask(client, serverY, 20, others);
      await release(client, serverX, true, marked);
      clock.advance(25 * minute);
      assert.deepEqual(told(await client.call(refreshAllTimerLocks, { ServerId: serverX })), [0]);
      clock.advance(15 * minute);
      assert.deepEqual(await ask(client, serverY, 20, first), [1, null]);
      assert.deepEqual(await ask(client, serverY, 20, second), [1, null]);
      assert.deepEqual(await ask(client, serverY, 20, marked), [3, null]);
      assert.deepEqual(await ask(client, serverX, 20, others), [3, serverY]);
      assert.deepEqual(told(await client.call(refreshAllTimerLocks, { ServerId: guid('f0', 9) })), [0]);
    }));
});
