import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../src/base/clock.ts';
import { deleteAllTimerLocksAndRunningJobs } from '../../../../src/protocols/config/locks/delete-all-timer-locks-and-running-jobs.ts';
import { getTimerLock } from '../../../../src/protocols/config/locks/get-timer-lock.ts';
import { addTimerTargetInstance } from '../../../../src/protocols/config/timer-jobs/add-timer-target-instance.ts';
import { completeTimerRunningJob } from '../../../../src/protocols/config/timer-jobs/complete-timer-running-job.ts';
import { deleteScheduledJob } from '../../../../src/protocols/config/timer-jobs/delete-scheduled-job.ts';
import { deleteTimerRunningJobs } from '../../../../src/protocols/config/timer-jobs/delete-timer-running-jobs.ts';
import { getTimerJobHistory } from '../../../../src/protocols/config/timer-jobs/get-timer-job-history.ts';
import { getTimerJobLastRunTime } from '../../../../src/protocols/config/timer-jobs/get-timer-job-last-run-time.ts';
import { getTimerRunningJobs } from '../../../../src/protocols/config/timer-jobs/get-timer-running-jobs.ts';
import { getTimerScheduledJobs } from '../../../../src/protocols/config/timer-jobs/get-timer-scheduled-jobs.ts';
import { getTimerTargetInstance } from '../../../../src/protocols/config/timer-jobs/get-timer-target-instance.ts';
import { scheduleTimerJob } from '../../../../src/protocols/config/timer-jobs/schedule-timer-job.ts';
import { startTimerRunningJob } from '../../../../src/protocols/config/timer-jobs/start-timer-running-job.ts';
import { updateTimerRunningJobProgress } from '../../../../src/protocols/config/timer-jobs/update-timer-running-job-progress.ts';
import { updateTimerRunningJobTarget } from '../../../../src/protocols/config/timer-jobs/update-timer-running-job-target.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import type { Farm } from '../farm.ts';
import { sharedFarm } from '../shared-farm.ts';
import { given, told } from '../told.ts';
import { addHistory } from './jobs.ts';

// The figures of section 4 hold the values of the calls and are not in the text, so the values are chosen here.
const classes = {
  root: '30000000-0000-0000-0000-0000000000c0',
  webApplication: '30000000-0000-0000-0000-0000000000c1',
  service: 'daca2a15-b9b5-43da-bea3-6b75fbe3a883',
  jobDefinition: '3f9f635f-0036-42fe-9c2d-3284162732db',
  unknown: '30000000-0000-0000-0000-0000000000ff',
};
const farmId = '31000000-0000-0000-0000-000000000001';
const service = '31000000-0000-0000-0000-000000000002';
const webApplication = '31000000-0000-0000-0000-000000000003';
const job = '31000000-0000-0000-0000-000000000004';
const second = '31000000-0000-0000-0000-000000000005';
const notStored = '31000000-0000-0000-0000-0000000000ff';
const [database1, database2, database3] = ['d1', 'd2', 'd3'].map((end) => `32000000-0000-0000-0000-0000000000${end}`);
const clientX = '33000000-0000-0000-0000-00000000000a';
const clientY = '33000000-0000-0000-0000-00000000000b';
const properties = '<object><fld name="m_LockType">1</fld><fld name="m_Title">Nightly</fld></object>';
const now = '2010-12-17T02:00:00.000Z';
const at = (minute: number) => new Date(Date.UTC(2010, 11, 17, 2, minute));

async function storeJob(farm: Farm): Promise<void> {
  const { root } = classes;
  assert.equal(await farm.putClass(root, null, 'Example.Object'), 0);
  assert.equal(await farm.putClass(classes.service, root, 'Example.Service'), 0);
  assert.equal(await farm.putClass(classes.jobDefinition, root, 'Example.JobDefinition'), 0);
  assert.equal(await farm.putClass(classes.webApplication, classes.unknown, 'Example.WebApplication'), 1);
  assert.equal(await farm.putClass(classes.webApplication, root, 'Example.WebApplication'), 0);

  await farm.stored(farmId, { ClassId: root, Name: 'Farm' });
  await farm.stored(service, { ParentId: farmId, ClassId: classes.service, Name: 'Timer' });
  await farm.stored(webApplication, { ParentId: service, ClassId: classes.webApplication, Name: 'Portal' });
  const definition = {
    ParentId: webApplication,
    ClassId: classes.jobDefinition,
    Name: 'nightly',
    Properties: properties,
  };
  await farm.stored(job, definition);
  assert.equal((await farm.put(job, definition)).status, 9);
  const taken = await farm.put(second, definition);
  assert.deepEqual([taken.status, taken.existing], [8, job]);
  assert.equal((await farm.put(second, { ...definition, ClassId: classes.unknown, Name: 'other' })).status, 2);
}

const onX = { ServiceId: service, VirtualServerId: webApplication, JobId: job, ServerId: clientX };

async function start(client: TestClient, TargetCount = 2): Promise<unknown[]> {
  const answer = await client.call(startTimerRunningJob, { ...onX, JobTitle: 'Nightly', TargetCount });
  return [...told(answer), given(answer, 'CurrentTarget')];
}

async function runningOnX(client: TestClient): Promise<unknown[]> {
  const none = { ServiceId: null, WebApplicationId: null, JobId: null };
  return told(await client.call(getTimerRunningJobs, { ...none, ServerId: clientX }));
}

const runningRow = (status: number, current: number, percent: number | null, count = 2) => [
  0,
  [[service, webApplication, job, 'Nightly', clientX, status, new Date(now), current, count, percent]],
];

const complete = async (client: TestClient, Status: number) =>
  told(await client.call(completeTimerRunningJob, { ...onX, Status }));
const processed = async (client: TestClient, CurrentTarget: number) =>
  told(await client.call(updateTimerRunningJobTarget, { ...onX, CurrentTarget }));

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 4.3: executes a job instance on two of three content databases', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      await storeJob(farm);
      await acquireLocks(client);
      await addTargets(client);
      await scheduleAndStart(client);
      await processBoth(client);
      await lookBack(client);
    }, new ManualClock(now)));

  test('MS-WSSCFGD2 3.1.5.63: an instance that pauses goes on after its server came back', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      await storeJob(farm);
      assert.deepEqual(await start(client), [0, 0]);
      assert.deepEqual(await processed(client, 1), [0]);
      assert.deepEqual(await complete(client, 6), [0]);
      assert.deepEqual(await runningOnX(client), runningRow(6, 1, null));
      const back = { ServerId: clientX, KeepPauseJobs: true };
      assert.deepEqual(told(await client.call(deleteAllTimerLocksAndRunningJobs, back)), [0]);
      assert.deepEqual(await runningOnX(client), runningRow(7, 1, null));
      assert.deepEqual(await start(client), [0, 1]);
      assert.deepEqual(await runningOnX(client), runningRow(1, 1, null));
      assert.deepEqual(await complete(client, 7), [0]);
      assert.deepEqual(await start(client, 3), [0, 0]);
      assert.deepEqual(await runningOnX(client), runningRow(1, 0, null, 3));
      const { ServerId: _, ...anywhere } = onX;
      assert.deepEqual(told(await client.call(deleteTimerRunningJobs, anywhere)), [0]);
      assert.deepEqual(await runningOnX(client), [0, []]);
    }, new ManualClock(now)));
});

/** 4.3.1 */
async function acquireLocks(client: TestClient): Promise<void> {
  const lock = async (ServerId: string, ContentDatabaseId: string | null = null) => {
    const answer = await client.call(getTimerLock, { ServerId, LockTimeout: 20, ContentDatabaseId });
    return [...told(answer), given(answer, 'LockStatus')];
  };
  assert.deepEqual(await lock(clientY, database3), [0, 2]);
  assert.deepEqual(await lock(clientX, database1), [0, 2]);
  assert.deepEqual(await lock(clientX, database2), [0, 2]);
  assert.deepEqual(await lock(clientX, database3), [0, 1]);
}

/** 4.3.2 */
async function addTargets(client: TestClient): Promise<void> {
  const add = async (JobId: string, TargetInstanceID = database1 ?? null) =>
    told(await client.call(addTimerTargetInstance, { JobId, TargetInstanceID }));
  const exists = async (JobId: string, TargetInstanceId = database1 ?? null) =>
    given(await client.call(getTimerTargetInstance, { JobId, TargetInstanceId }), 'Exists');
  for (const database of [database1, database2, database3]) assert.deepEqual(await add(job, database), [0]);
  assert.deepEqual(await add(notStored), [31]);
  assert.equal(await exists(job, database2), true);
  assert.equal(await exists(notStored), false);
}

/** 4.3.3 and 4.3.4 */
async function scheduleAndStart(client: TestClient): Promise<void> {
  const schedule = async (JobId: string) =>
    told(
      await client.call(scheduleTimerJob, {
        ServiceId: service,
        WebApplicationId: webApplication,
        ServerId: clientX,
        JobId,
        StartTime: at(0),
      }),
    );
  const scheduled = async () =>
    told(
      await client.call(getTimerScheduledJobs, {
        ServiceId: null,
        WebApplicationId: null,
        ServerId: clientX,
        JobId: null,
        StartRow: 0,
        MaximumRows: 10,
      }),
    );
  assert.deepEqual(await schedule(job), [0]);
  assert.deepEqual(await schedule(notStored), [31]);
  assert.deepEqual(await scheduled(), [0, [[service, webApplication, clientX, job, at(0)]]]);
  assert.deepEqual(await start(client), [0, 0]);
  assert.deepEqual(await runningOnX(client), runningRow(1, 0, null));
  assert.deepEqual(told(await client.call(deleteScheduledJob, { ServerId: clientX, JobId: job })), [0]);
  assert.deepEqual(await scheduled(), [0, []]);
}

const entry = {
  ServiceId: service,
  WebApplicationId: webApplication,
  JobId: job,
  ServerId: clientX,
};

/** 4.3.5 to 4.3.8 */
async function processBoth(client: TestClient): Promise<void> {
  const half = { ...onX, CurrentTargetPercentDone: 50 };
  assert.deepEqual(told(await client.call(updateTimerRunningJobProgress, half)), [0]);
  assert.deepEqual(await runningOnX(client), runningRow(1, 0, 50));
  assert.deepEqual(told(await client.call(updateTimerRunningJobProgress, { ...half, ServerId: clientY })), [31]);
  const first = { ...entry, DatabaseName: 'Content_1', StartTime: at(0), EndTime: at(3) };
  assert.deepEqual(told(await addHistory(client, first)), [0]);
  assert.deepEqual(await processed(client, 1), [0]);
  assert.deepEqual(await runningOnX(client), runningRow(1, 1, null));
  const next = { ...entry, DatabaseName: 'Content_2', StartTime: at(3), EndTime: at(5) };
  assert.deepEqual(told(await addHistory(client, next)), [0]);
  assert.deepEqual(await complete(client, 2), [0]);
  assert.deepEqual(await runningOnX(client), [0, []]);
}

async function lookBack(client: TestClient): Promise<void> {
  const history = async (more: { MaximumId?: bigint; JobStatus?: number } = {}) =>
    told(
      await client.call(getTimerJobHistory, {
        ServiceId: null,
        WebApplicationId: null,
        ServerId: clientX,
        JobId: job,
        MaximumId: 9223372036854775807n,
        MinimumId: 0n,
        MaximumRows: 10,
        ...more,
      }),
    );
  const row = (id: string, from: number, to: number, database: string) => [
    id,
    ...[job, 'Nightly', webApplication, 'Portal', service, clientX, 'WFE1', 2, at(from), at(to), database, null],
  ];
  const older = row('1', 0, 3, 'Content_1');
  assert.deepEqual(await history(), [0, [row('2', 3, 5, 'Content_2'), older]]);
  assert.deepEqual(await history({ MaximumId: 1n }), [0, [older]]);
  assert.deepEqual(await history({ JobStatus: 3 }), [0, []]);
  const last = await client.call(getTimerJobLastRunTime, { JobId: job });
  assert.deepEqual([...told(last), given(last, 'LastRunTime')], [0, at(3)]);
}
