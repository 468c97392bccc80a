import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addTimerLockForJob } from '../../../../src/protocols/config/locks/add-timer-lock-for-job.ts';
import { addTimerTargetInstance } from '../../../../src/protocols/config/timer-jobs/add-timer-target-instance.ts';
import { deleteTimerRunningJobs } from '../../../../src/protocols/config/timer-jobs/delete-timer-running-jobs.ts';
import { getTimerJobHistory } from '../../../../src/protocols/config/timer-jobs/get-timer-job-history.ts';
import { getTimerScheduledJobs } from '../../../../src/protocols/config/timer-jobs/get-timer-scheduled-jobs.ts';
import { getTimerTargetInstance } from '../../../../src/protocols/config/timer-jobs/get-timer-target-instance.ts';
import { scheduleTimerJob } from '../../../../src/protocols/config/timer-jobs/schedule-timer-job.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { guid } from '../farm.ts';
import { sharedFarm } from '../shared-farm.ts';
import { given, told } from '../told.ts';
import { addHistory, instance, job, running, serverX, serverY, service, start, webApplication } from './jobs.ts';

const target = { JobId: job, TargetInstanceID: guid('d0', 1) };
const anything = { ServiceId: null, WebApplicationId: null, ServerId: null, JobId: job };

const schedule = async (client: TestClient) =>
  told(
    await client.call(scheduleTimerJob, {
      ServiceId: service,
      WebApplicationId: webApplication,
      ServerId: serverX,
      JobId: job,
      StartTime: new Date('2010-12-17T02:00:00Z'),
    }),
  );

/** How many records of each kind tell of the job, and who has its lock. */
async function recorded(client: TestClient) {
  const targets = await client.call(getTimerTargetInstance, { JobId: job, TargetInstanceId: target.TargetInstanceID });
  const scheduled = await client.call(getTimerScheduledJobs, { ...anything, StartRow: 0, MaximumRows: 9 });
  const past = { ...anything, MaximumId: null, MinimumId: null, MaximumRows: 9 };
  const history = await client.call(getTimerJobHistory, past);
  const lock = await client.call(addTimerLockForJob, { JobId: job, ServerId: serverY, LockTimeout: 20 });
  return {
    target: given(targets, 'Exists'),
    scheduled: scheduled.sets[0]?.length,
    running: (await running(client)).length,
    history: history.sets[0]?.length,
    lockStatus: given(lock, 'LockStatus'),
  };
}

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 3.1.5.18: the timer records of a job definition stay when it is removed, but it gets no new ones', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      await farm.stored(job);
      await client.call(addTimerTargetInstance, target);
      await schedule(client);
      await start(client);
      await addHistory(client);
      await client.call(addTimerLockForJob, { JobId: job, ServerId: serverX, LockTimeout: 20 });
      const before = await recorded(client);
      assert.deepEqual(before, { target: true, scheduled: 1, running: 1, history: 1, lockStatus: 1 });

      assert.equal(await farm.drop(job), 0);
      assert.deepEqual(await recorded(client), before);
      assert.deepEqual(told(await client.call(addTimerTargetInstance, target)), [31]);
      assert.deepEqual(await schedule(client), [31]);
      assert.deepEqual(await start(client), [31, 0]);
      const { ServerId: _, ...everywhere } = instance(serverX);
      assert.deepEqual(told(await client.call(deleteTimerRunningJobs, everywhere)), [0]);
      assert.deepEqual(await recorded(client), { ...before, running: 0 });
    }));
});
