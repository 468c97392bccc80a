import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallInput } from '../../../../src/procedure/declare.ts';
import { deleteScheduledJob } from '../../../../src/protocols/config/timer-jobs/delete-scheduled-job.ts';
import { getTimerScheduledJobs } from '../../../../src/protocols/config/timer-jobs/get-timer-scheduled-jobs.ts';
import { scheduleTimerJob } from '../../../../src/protocols/config/timer-jobs/schedule-timer-job.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { type Farm, guid } from '../farm.ts';
import { sharedFarm } from '../shared-farm.ts';
import { told } from '../told.ts';
import { job, noJob, otherJob, serverX, serverY, service, webApplication } from './jobs.ts';

const at = (hour: number) => new Date(Date.UTC(2010, 11, 17, hour));

const schedule = async (client: TestClient, more: Partial<CallInput<(typeof scheduleTimerJob)['params']>> = {}) =>
  told(
    await client.call(scheduleTimerJob, {
      ServiceId: service,
      WebApplicationId: webApplication,
      ServerId: serverX,
      JobId: job,
      StartTime: at(2),
      ...more,
    }),
  );

const scheduled = async (client: TestClient, more: Partial<CallInput<(typeof getTimerScheduledJobs)['params']>> = {}) =>
  told(
    await client.call(getTimerScheduledJobs, {
      ServiceId: null,
      WebApplicationId: null,
      ServerId: null,
      JobId: null,
      StartRow: 0,
      MaximumRows: 100,
      ...more,
    }),
  );

/** Two jobs on two servers, each an hour later. */
async function fourScheduled(farm: Farm): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  let hour = 1;
  for (const JobId of [job, otherJob]) {
    await farm.stored(JobId);
    for (const ServerId of [serverX, serverY]) {
      const StartTime = at(hour++);
      const WebApplicationId = JobId === job ? webApplication : null;
      assert.deepEqual(await schedule(farm.client, { JobId, ServerId, StartTime, WebApplicationId }), [0]);
      rows.push([service, WebApplicationId, ServerId, JobId, StartTime]);
    }
  }
  return rows;
}

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 3.1.5.60: stores the five values; a second schedule of a job on a server replaces the first', () =>
    withFarm(async (farm) => {
      await farm.stored(job);
      assert.deepEqual(await schedule(farm.client), [0]);
      assert.deepEqual(await scheduled(farm.client), [0, [[service, webApplication, serverX, job, at(2)]]]);
      const later = { ServiceId: guid('5e', 2), WebApplicationId: null, StartTime: at(5) };
      assert.deepEqual(await schedule(farm.client, later), [0]);
      assert.deepEqual(await scheduled(farm.client), [0, [[guid('5e', 2), null, serverX, job, at(5)]]]);
    }));

  test('MS-WSSCFGD2 3.1.5.60: returns 31 and stores nothing when the job is not stored or a value is NULL', () =>
    withFarm(async (farm) => {
      await farm.stored(job);
      assert.deepEqual(await schedule(farm.client, { JobId: noJob }), [31]);
      for (const name of ['ServiceId', 'ServerId', 'JobId', 'StartTime'])
        assert.deepEqual(await schedule(farm.client, { [name]: null }), [31], name);
      assert.deepEqual(await scheduled(farm.client), [0, []]);
    }));

  test('MS-WSSCFGD2 3.1.5.43: returns the jobs in the order of their start, under all filters given', () =>
    withFarm(async (farm) => {
      const rows = await fourScheduled(farm);
      const { client } = farm;
      assert.deepEqual(await scheduled(client), [0, rows]);
      assert.deepEqual(await scheduled(client, { ServiceId: service }), [0, rows]);
      assert.deepEqual(await scheduled(client, { WebApplicationId: webApplication }), [0, [rows[0], rows[1]]]);
      assert.deepEqual(await scheduled(client, { ServerId: serverY }), [0, [rows[1], rows[3]]]);
      assert.deepEqual(await scheduled(client, { JobId: otherJob }), [0, [rows[2], rows[3]]]);
      assert.deepEqual(await scheduled(client, { JobId: otherJob, ServerId: serverX }), [0, [rows[2]]]);
      assert.deepEqual(await scheduled(client, { ServiceId: guid('5e', 9) }), [0, []]);
    }));

  test('MS-WSSCFGD2 3.1.5.43: jobs that start at one moment come by job, then server, so that pages are stable', () =>
    withFarm(async (farm) => {
      const rows: unknown[][] = [];
      for (const JobId of [otherJob, job]) {
        await farm.stored(JobId);
        for (const ServerId of [serverY, serverX]) {
          await schedule(farm.client, { JobId, ServerId });
          rows.unshift([service, webApplication, ServerId, JobId, at(2)]);
        }
      }
      assert.deepEqual(await scheduled(farm.client), [0, rows]);
    }));

  test('MS-WSSCFGD2 3.1.5.43: pages by a row counted from 0 and a number of rows', () =>
    withFarm(async (farm) => {
      const rows = await fourScheduled(farm);
      const page = (StartRow: number | null, MaximumRows: number | null) =>
        scheduled(farm.client, { StartRow, MaximumRows });
      assert.deepEqual(await page(0, 2), [0, rows.slice(0, 2)]);
      assert.deepEqual(await page(2, 2), [0, rows.slice(2)]);
      assert.deepEqual(await page(3, 10), [0, rows.slice(3)]);
      assert.deepEqual(await page(4, 10), [0, []]);
      assert.deepEqual(await page(null, null), [0, rows]);
      assert.deepEqual(await page(-1, 1), [0, rows.slice(0, 1)]);
      for (const none of [0, -1]) assert.deepEqual(await page(0, none), [0, []]);
    }));

  test('MS-WSSCFGD2 3.1.5.9: deletes by server and job, by one of them, or all', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      const drop = async (ServerId: string | null, JobId: string | null) =>
        told(await client.call(deleteScheduledJob, { ServerId, JobId }));
      const rows = await fourScheduled(farm);
      assert.deepEqual(await drop(serverX, job), [0]);
      assert.deepEqual(await scheduled(client), [0, rows.slice(1)]);
      assert.deepEqual(await drop(serverX, job), [0]);
      assert.deepEqual(await drop(guid('f0', 9), null), [0]);
      assert.deepEqual(await scheduled(client), [0, rows.slice(1)]);
      assert.deepEqual(await drop(null, otherJob), [0]);
      assert.deepEqual(await scheduled(client), [0, [rows[1]]]);
      await schedule(client);
      assert.deepEqual(await drop(serverY, null), [0]);
      assert.deepEqual((await scheduled(client, { ServerId: serverY }))[1], []);
      assert.equal(((await scheduled(client))[1] as unknown[]).length, 1);
      assert.deepEqual(await drop(null, null), [0]);
      assert.deepEqual(await scheduled(client), [0, []]);
    }));
});
