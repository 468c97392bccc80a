import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallInput } from '../../../../src/procedure/declare.ts';
import { addTimerJobHistory } from '../../../../src/protocols/config/timer-jobs/add-timer-job-history.ts';
import { deleteOldTimerJobHistory } from '../../../../src/protocols/config/timer-jobs/delete-old-timer-job-history.ts';
import { getTimerJobHistory } from '../../../../src/protocols/config/timer-jobs/get-timer-job-history.ts';
import { getTimerJobLastRunTime } from '../../../../src/protocols/config/timer-jobs/get-timer-job-last-run-time.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { guid } from '../farm.ts';
import { sharedFarm } from '../shared-farm.ts';
import { given, told } from '../told.ts';
import { addHistory, job, otherJob, serverX, serverY, service, webApplication } from './jobs.ts';

const at = (minute: number) => new Date(Date.UTC(2010, 11, 17, 2, minute));

type Filter = Partial<CallInput<(typeof getTimerJobHistory)['params']>>;
const history = async (client: TestClient, more: Filter = {}) =>
  told(
    await client.call(getTimerJobHistory, {
      ServiceId: null,
      WebApplicationId: null,
      ServerId: null,
      JobId: null,
      MaximumId: 2n ** 63n - 1n,
      MinimumId: 0n,
      MaximumRows: 1000,
      ...more,
    }),
  );
const rowsOf = async (client: TestClient, more: Filter = {}) => (await history(client, more))[1] as unknown[][];
const ids = async (client: TestClient, more: Filter = {}) => (await rowsOf(client, more)).map(([id]) => Number(id));
const lastRun = async (client: TestClient, JobId: string | null) => {
  const answer = await client.call(getTimerJobLastRunTime, { JobId });
  return [...told(answer), given(answer, 'LastRunTime')];
};

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 3.1.5.1: adds an entry with the twelve values and a new identifier, also twice the same', () =>
    withFarm(async ({ client }) => {
      const failed = {
        Status: 3,
        DatabaseName: 'Content_1',
        ErrorMessage: 'Zu spät',
        StartTime: at(1),
        EndTime: at(2),
      };
      for (let times = 0; times < 2; times++) assert.deepEqual(told(await addHistory(client, failed)), [0]);
      const alone = { WebApplicationId: null, WebApplicationName: null };
      assert.deepEqual(told(await addHistory(client, alone)), [0]);
      const entry = [job, 'Nightly', webApplication, 'Portal', service, serverX, 'WFE1', 3, at(1), at(2)];
      assert.deepEqual(await history(client), [
        0,
        [
          ['3', job, 'Nightly', null, null, service, serverX, 'WFE1', 2, at(0), at(3), null, null],
          ['2', ...entry, 'Content_1', 'Zu spät'],
          ['1', ...entry, 'Content_1', 'Zu spät'],
        ],
      ]);
    }));

  test('MS-WSSCFGD2 3.1.5.1: identifiers go on rising after entries were deleted', () =>
    withFarm(async ({ client }) => {
      await addHistory(client);
      await addHistory(client);
      await client.call(deleteOldTimerJobHistory, { DeleteBeforeDate: new Date('2011-01-01') });
      assert.deepEqual(await ids(client), []);
      await addHistory(client);
      assert.deepEqual(await ids(client), [3]);
    }));

  test('MS-WSSCFGD2 3.1.5.1: entries that many clients add at once get identifiers of their own', () =>
    withFarm(async (_, { connect }) => {
      const farms = await Promise.all(Array.from({ length: 8 }, connect));
      await Promise.all(
        farms.map(async ({ client }) => {
          for (let times = 0; times < 5; times++) await addHistory(client);
        }),
      );
      const [first] = farms;
      assert.ok(first);
      assert.deepEqual(
        await ids(first.client),
        Array.from({ length: 40 }, (_unused, at) => 40 - at),
      );
    }));

  test('MS-WSSCFGD2 3.1.5.1: text longer than its type is cut, as SQL Server binds it, and the entry is kept', () =>
    withFarm(async ({ client }) => {
      const longest: Record<string, number> = {
        WebApplicationName: 255,
        JobTitle: 255,
        ServerName: 128,
        DatabaseName: 128,
        ErrorMessage: 1000,
      };
      for (const [name, length] of Object.entries(longest)) {
        assert.deepEqual(told(await addHistory(client, { [name]: 'x'.repeat(length + 200) })), [0], name);
        const [entry = []] = await rowsOf(client);
        assert.ok(entry.includes('x'.repeat(length)), name);
      }
      assert.equal((await ids(client)).length, Object.keys(longest).length);
    }));

  test('MS-WSSCFGD2 3.1.5.40: each filter holds only when it is not NULL, and all given hold together', () =>
    withFarm(async ({ client }) => {
      await addHistory(client);
      await addHistory(client, { ServerId: serverY, Status: 3 });
      await addHistory(client, { JobId: otherJob, WebApplicationId: null, WebApplicationName: null });
      await addHistory(client, { ServiceId: guid('5e', 2) });
      assert.deepEqual(await ids(client), [4, 3, 2, 1]);
      assert.deepEqual(await ids(client, { ServiceId: service }), [3, 2, 1]);
      assert.deepEqual(await ids(client, { WebApplicationId: webApplication }), [4, 2, 1]);
      assert.deepEqual(await ids(client, { ServerId: serverY }), [2]);
      assert.deepEqual(await ids(client, { JobId: otherJob }), [3]);
      assert.deepEqual(await ids(client, { JobStatus: 3 }), [2]);
      assert.deepEqual(await ids(client, { JobStatus: 2, JobId: job, ServiceId: service }), [1]);
      assert.deepEqual(await ids(client, { JobStatus: 5 }), []);
    }));

  test('MS-WSSCFGD2 3.1.5.40: returns the newest within the identifiers and rows given, so that a client can page back', () =>
    withFarm(async ({ client }) => {
      for (let minute = 0; minute < 7; minute++) await addHistory(client, { EndTime: at(minute) });
      assert.deepEqual(await ids(client, { MinimumId: 2n, MaximumId: 4n }), [4, 3, 2]);
      assert.deepEqual(await ids(client, { MaximumRows: 3 }), [7, 6, 5]);
      assert.deepEqual(await ids(client, { MaximumRows: 3, MaximumId: 4n }), [4, 3, 2]);
      assert.deepEqual(await ids(client, { MaximumRows: 3, MaximumId: 1n }), [1]);
      assert.deepEqual(await ids(client, { MinimumId: 5n, MaximumId: 4n }), []);
      assert.deepEqual(
        await ids(client, { MaximumId: null, MinimumId: null, MaximumRows: null }),
        [7, 6, 5, 4, 3, 2, 1],
      );
      for (const none of [0, -1]) assert.deepEqual(await history(client, { MaximumRows: none }), [0, []]);
    }));

  test('MS-WSSCFGD2 3.1.5.8: deletes the entries that ended before the date, and no other', () =>
    withFarm(async ({ client }) => {
      for (const minute of [1, 2, 3]) await addHistory(client, { EndTime: at(minute) });
      const drop = async (DeleteBeforeDate: Date | null) =>
        told(await client.call(deleteOldTimerJobHistory, { DeleteBeforeDate }));
      assert.deepEqual(await drop(null), [0]);
      assert.deepEqual(await ids(client), [3, 2, 1]);
      assert.deepEqual(await drop(at(2)), [0]);
      assert.deepEqual(await ids(client), [3, 2]);
      assert.deepEqual(await drop(at(2)), [0]);
      assert.deepEqual(await ids(client), [3, 2]);
    }));

  test('MS-WSSCFGD2 3.1.5.8: an entry without an end is as old as its start, one without both stays', () =>
    withFarm(async ({ client }) => {
      for (const minute of [1, 2]) await addHistory(client, { StartTime: at(minute), EndTime: null });
      await addHistory(client, { StartTime: null, EndTime: null });
      await client.call(deleteOldTimerJobHistory, { DeleteBeforeDate: at(2) });
      assert.deepEqual(await ids(client), [3, 2]);
    }));

  test('MS-WSSCFGD2 3.1.5.41: tells the latest start of the job on any server, and NULL when there is none', () =>
    withFarm(async ({ client }) => {
      assert.deepEqual(await lastRun(client, job), [0, null]);
      await addHistory(client, { StartTime: at(7), ServerId: serverY });
      await addHistory(client, { StartTime: at(5) });
      await addHistory(client, { StartTime: at(9), JobId: otherJob });
      assert.deepEqual(await lastRun(client, job), [0, at(7)]);
      assert.deepEqual(await lastRun(client, null), [0, null]);
      await client.call(deleteOldTimerJobHistory, { DeleteBeforeDate: new Date('2011-01-01') });
      assert.deepEqual(await lastRun(client, job), [0, null]);
    }));

  test('MS-WSSCFGD2 3.1.5.1: leaving out a parameter without a default is error 201', () =>
    withFarm(async ({ client }) => {
      await assert.rejects(client.callLoosely(addTimerJobHistory, { JobId: job }), { number: 201 });
    }));
});
