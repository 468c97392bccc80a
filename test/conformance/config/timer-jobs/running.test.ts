import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../src/base/clock.ts';
import { deleteAllTimerLocksAndRunningJobs } from '../../../../src/protocols/config/locks/delete-all-timer-locks-and-running-jobs.ts';
import { completeTimerRunningJob } from '../../../../src/protocols/config/timer-jobs/complete-timer-running-job.ts';
import { deleteTimerRunningJobs } from '../../../../src/protocols/config/timer-jobs/delete-timer-running-jobs.ts';
import { getTimerRunningJobs } from '../../../../src/protocols/config/timer-jobs/get-timer-running-jobs.ts';
import { updateTimerRunningJobProgress } from '../../../../src/protocols/config/timer-jobs/update-timer-running-job-progress.ts';
import { updateTimerRunningJobStatus } from '../../../../src/protocols/config/timer-jobs/update-timer-running-job-status.ts';
import { updateTimerRunningJobTarget } from '../../../../src/protocols/config/timer-jobs/update-timer-running-job-target.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { type Farm, guid } from '../farm.ts';
import { sharedFarm } from '../shared-farm.ts';
import { told } from '../told.ts';
import { instance, job, noJob, otherJob, running, serverX, serverY, service, start, webApplication } from './jobs.ts';

const complete = async (
  client: TestClient,
  Status: number | null,
  of: ReturnType<typeof instance> = instance(serverX),
) => told(await client.call(completeTimerRunningJob, { ...of, Status }));
const progress = async (client: TestClient, CurrentTargetPercentDone: number | null, more = {}) =>
  told(await client.call(updateTimerRunningJobProgress, { ...instance(serverX), CurrentTargetPercentDone, ...more }));
const target = async (client: TestClient, CurrentTarget: number | null, more = {}) =>
  told(await client.call(updateTimerRunningJobTarget, { ...instance(serverX), CurrentTarget, ...more }));
const status = async (client: TestClient, NewStatus: number | null, OldStatus: number | null) =>
  told(await client.call(updateTimerRunningJobStatus, { JobId: job, ServerId: serverX, NewStatus, OldStatus }));
const statusNow = async (client: TestClient) => (await running(client)).map((row) => row.status);

/** The four identifiers, each once replaced by one that is not the instance's. */
const mismatches = [
  { ServiceId: guid('5e', 9) },
  { VirtualServerId: null },
  { VirtualServerId: guid('a0', 9) },
  { JobId: otherJob },
  { ServerId: serverY },
  { ServiceId: null },
  { JobId: null },
  { ServerId: null },
];

async function started(farm: Farm): Promise<TestClient> {
  await farm.stored(job);
  assert.deepEqual(await start(farm.client), [0, 0]);
  return farm.client;
}

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 3.1.5.63: records a start with status 1, the time of the server and no progress', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      const none = { ServiceId: null, WebApplicationId: null, ServerId: null, JobId: null };
      assert.deepEqual(told(await client.call(getTimerRunningJobs, none)), [
        0,
        [[service, webApplication, job, 'Nightly', serverX, 1, new Date('2024-01-15T10:30:00Z'), 0, 2, null]],
      ]);
    }, new ManualClock('2024-01-15T10:30:00Z')));

  test('MS-WSSCFGD2 3.1.5.63: goes on where a paused instance with the same number of targets stopped', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      await target(client, 1);
      await complete(client, 7);
      assert.deepEqual(await start(client, { CurrentTarget: 99 }), [0, 1]);
      assert.deepEqual(await running(client), [
        { job, server: serverX, status: 1, current: 1, count: 2, percent: null },
      ]);
    }));

  test('MS-WSSCFGD2 3.1.5.63: an instance that goes on has the title that it is started with', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      await complete(client, 7);
      assert.deepEqual(await start(client, { JobTitle: 'Nightly, renamed' }), [0, 0]);
      const all = { ServiceId: null, WebApplicationId: null, ServerId: null, JobId: null };
      const { sets } = await client.call(getTimerRunningJobs, all);
      assert.deepEqual(
        sets[0]?.map((row) => row['JobTitle']),
        ['Nightly, renamed'],
      );
    }));

  test('MS-WSSCFGD2 3.1.5.63: starts anew from 0 unless status, target count and all identifiers are those of the paused one', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      const again = async (paused: number, more = {}) => {
        await target(client, 1);
        await complete(client, paused);
        assert.deepEqual(await start(client, more), [0, 0]);
        assert.deepEqual(
          (await running(client)).map(({ status: now, current }) => [now, current]),
          [[1, 0]],
        );
      };
      await again(6);
      await again(7, { TargetCount: 3 });
      await start(client);
      await again(7, { VirtualServerId: null });
      await start(client);
      await again(7, { ServiceId: guid('5e', 2) });
    }));

  test('MS-WSSCFGD2 3.1.5.63: returns 31 and stores nothing when the job is not stored, a value is NULL or the count below 0', () =>
    withFarm(async (farm) => {
      await farm.stored(job);
      assert.deepEqual(await start(farm.client, { JobId: noJob, CurrentTarget: 5 }), [31, 0]);
      for (const name of ['ServiceId', 'JobId', 'ServerId', 'TargetCount'])
        assert.deepEqual(await start(farm.client, { [name]: null }), [31, 0], name);
      assert.deepEqual(await start(farm.client, { TargetCount: -1 }), [31, 0]);
      assert.deepEqual(await running(farm.client), []);
      assert.deepEqual(await start(farm.client, { JobTitle: 'x'.repeat(256), TargetCount: 0 }), [0, 0]);
    }));

  test('MS-WSSCFGD2 3.1.5.5: keeps the instance and its progress on status 6 and 7', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      await target(client, 1);
      await progress(client, 40);
      for (const pause of [6, 7]) {
        assert.deepEqual(await complete(client, pause), [0]);
        assert.deepEqual(await running(client), [
          { job, server: serverX, status: pause, current: 1, count: 2, percent: 40 },
        ]);
      }
    }));

  test('MS-WSSCFGD2 3.1.5.5: removes the instance on every other status, and only it', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      await start(client, { ServerId: serverY });
      for (const ended of [2, 3, 5, 0, null]) {
        await start(client);
        assert.deepEqual(await complete(client, ended), [0]);
        assert.deepEqual(
          (await running(client)).map(({ server }) => server),
          [serverY],
        );
      }
      assert.deepEqual(await complete(client, 2), [0]);
    }));

  test('MS-WSSCFGD2 3.1.5.5: touches nothing unless all four identifiers match', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      for (const mismatch of mismatches) {
        // A NULL in place of an identifier is what the declared types allow; the spread loses that.
        const of = { ...instance(serverX), ...mismatch } as ReturnType<typeof instance>;
        assert.deepEqual(await complete(client, 2, of), [0]);
        assert.deepEqual(await complete(client, 7, of), [0]);
      }
      assert.deepEqual(await statusNow(client), [1]);
    }));

  test('MS-WSSCFGD2 3.1.5.64: records NULL and 0 to 100 percent', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      for (const percent of [0, 50, 50, 100, null]) {
        assert.deepEqual(await progress(client, percent), [0]);
        assert.equal((await running(client))[0]?.percent, percent);
      }
    }));

  test('MS-WSSCFGD2 3.1.5.64: returns 31 and changes nothing for another instance or another percentage', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      await progress(client, 30);
      for (const percent of [-1, 101, 2 ** 31 - 1]) assert.deepEqual(await progress(client, percent), [31]);
      for (const mismatch of mismatches) assert.deepEqual(await progress(client, 60, mismatch), [31]);
      assert.equal((await running(client))[0]?.percent, 30);
    }));

  test('MS-WSSCFGD2 3.1.5.66: records how many targets are processed and forgets the percentage', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      await progress(client, 100);
      assert.deepEqual(await target(client, 1), [0]);
      assert.deepEqual(await running(client), [
        { job, server: serverX, status: 1, current: 1, count: 2, percent: null },
      ]);
      assert.deepEqual(await target(client, 17), [0]);
      assert.equal((await running(client))[0]?.current, 17);
    }));

  test('MS-WSSCFGD2 3.1.5.66: returns 31 and changes nothing for another instance, NULL or a number below 0', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      for (const mismatch of mismatches) assert.deepEqual(await target(client, 1, mismatch), [31]);
      for (const none of [null, -1]) assert.deepEqual(await target(client, none), [31]);
      assert.equal((await running(client))[0]?.current, 0);
    }));

  test('MS-WSSCFGD2 3.1.5.65: sets the status always, or only from the old status given; returns 0 all the same', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      assert.deepEqual(await status(client, 6, null), [0]);
      assert.deepEqual(await statusNow(client), [6]);
      assert.deepEqual(await status(client, 1, 7), [0]);
      assert.deepEqual(await statusNow(client), [6]);
      assert.deepEqual(await status(client, 1, 6), [0]);
      assert.deepEqual(await statusNow(client), [1]);
      await complete(client, 2);
      assert.deepEqual(await status(client, 1, null), [0]);
      assert.deepEqual(await running(client), []);
    }));

  test('MS-WSSCFGD2 3.1.5.65: a new status that is NULL is refused with error 515', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      await assert.rejects(status(client, null, null), { number: 515, message: /UPDATE fails/ });
      assert.deepEqual(await statusNow(client), [1]);
    }));

  test('MS-WSSCFGD2 2.2.2.2: a new status that is no Job Status Type is refused, and the old one stays', () =>
    withFarm(async (farm) => {
      const client = await started(farm);
      for (const unlisted of [-1, 8]) await assert.rejects(status(client, unlisted, null), { number: 50000 });
      assert.deepEqual(await statusNow(client), [1]);
      for (let listed = 0; listed <= 7; listed++) {
        assert.deepEqual(await status(client, listed, null), [0]);
        assert.deepEqual(await statusNow(client), [listed]);
      }
    }));

  test('MS-WSSCFGD2 3.1.5.11: deletes the instances of a job definition on one server or on all', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      for (const id of [job, otherJob]) await farm.stored(id);
      const all = async () => {
        for (const JobId of [job, otherJob])
          for (const ServerId of [serverX, serverY]) await start(client, { JobId, ServerId });
      };
      const drop = async (more = {}) =>
        told(
          await client.call(deleteTimerRunningJobs, {
            ServiceId: service,
            VirtualServerId: webApplication,
            JobId: job,
            ...more,
          }),
        );
      const left = async () => (await running(client)).map((row) => [row.job, row.server]);
      await all();
      assert.deepEqual(await drop({ VirtualServerId: null }), [0]);
      assert.equal((await left()).length, 4);
      assert.deepEqual(await drop({ ServerId: serverX }), [0]);
      assert.deepEqual(await left(), [
        [job, serverY],
        [otherJob, serverX],
        [otherJob, serverY],
      ]);
      await all();
      assert.deepEqual(await drop(), [0]);
      assert.deepEqual(await left(), [
        [otherJob, serverX],
        [otherJob, serverY],
      ]);
    }));

  test('MS-WSSCFGD2 3.1.5.42: returns the instances under all filters given', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      for (const id of [job, otherJob]) await farm.stored(id);
      await start(client);
      await start(client, { ServerId: serverY });
      await start(client, { JobId: otherJob, VirtualServerId: null, ServiceId: guid('5e', 2) });
      const found = async (filter: object) => (await running(client, filter)).map((row) => [row.job, row.server]);
      assert.equal((await found({})).length, 3);
      assert.deepEqual(await found({ ServerId: serverY }), [[job, serverY]]);
      assert.deepEqual(await found({ ServiceId: guid('5e', 2) }), [[otherJob, serverX]]);
      assert.equal((await found({ WebApplicationId: webApplication })).length, 2);
      assert.deepEqual(await found({ JobId: job, ServerId: serverX }), [[job, serverX]]);
      assert.deepEqual(await found({ JobId: noJob }), []);
    }));

  test('MS-WSSCFGD2 3.1.5.7: deletes all instances of a server, or makes pausing ones paused and keeps those', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      const jobs = [1, 2, 3, 4].map((number) => guid('b1', number));
      for (const JobId of jobs) {
        await farm.stored(JobId);
        await start(client, { JobId });
      }
      await start(client, { JobId: jobs[0] ?? null, ServerId: serverY });
      await complete(client, 6, instance(serverX, jobs[1]));
      await complete(client, 7, instance(serverX, jobs[2]));
      const clear = async (KeepPauseJobs: boolean | null) =>
        told(await client.call(deleteAllTimerLocksAndRunningJobs, { ServerId: serverX, KeepPauseJobs }));
      assert.deepEqual(await clear(true), [0]);
      assert.deepEqual(
        (await running(client)).map((row) => [row.job, row.server, row.status]),
        [
          [jobs[0], serverY, 1],
          [jobs[1], serverX, 7],
          [jobs[2], serverX, 7],
        ],
      );
      // NULL keeps nothing either.
      assert.deepEqual(await clear(null), [0]);
      assert.deepEqual(
        (await running(client)).map((row) => row.server),
        [serverY],
      );
    }));
});
