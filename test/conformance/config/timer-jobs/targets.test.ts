import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addTimerTargetInstance } from '../../../../src/protocols/config/timer-jobs/add-timer-target-instance.ts';
import { deleteTimerTargetInstance } from '../../../../src/protocols/config/timer-jobs/delete-timer-target-instance.ts';
import { deleteTimerTargetInstances } from '../../../../src/protocols/config/timer-jobs/delete-timer-target-instances.ts';
import { getTimerTargetInstance } from '../../../../src/protocols/config/timer-jobs/get-timer-target-instance.ts';
import { getTimerTargetInstanceState } from '../../../../src/protocols/config/timer-jobs/get-timer-target-instance-state.ts';
import { updateTimerTargetInstanceState } from '../../../../src/protocols/config/timer-jobs/update-timer-target-instance-state.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { guid } from '../farm.ts';
import { sharedFarm } from '../shared-farm.ts';
import { given, told } from '../told.ts';
import { job, noJob, otherJob } from './jobs.ts';

const target = guid('d0', 1);
const otherTarget = guid('d0', 2);

const add = async (client: TestClient, JobId: string | null, TargetInstanceID: string | null) =>
  told(await client.call(addTimerTargetInstance, { JobId, TargetInstanceID }));
const exists = async (client: TestClient, JobId: string | null, TargetInstanceId: string | null) => {
  const answer = await client.call(getTimerTargetInstance, { JobId, TargetInstanceId });
  return [...told(answer), given(answer, 'Exists')];
};
const remove = async (client: TestClient, JobId: string | null, TargetInstanceId: string | null) => {
  const answer = await client.call(deleteTimerTargetInstance, { JobId, TargetInstanceId });
  return [...told(answer), given(answer, 'Exists')];
};
const state = async (client: TestClient, JobId: string, TargetInstanceId: string) =>
  told(await client.call(getTimerTargetInstanceState, { JobId, TargetInstanceId }));
const setState = async (client: TestClient, JobId: string, TargetInstanceId: string, State: Uint8Array | null) =>
  told(await client.call(updateTimerTargetInstanceState, { JobId, TargetInstanceId, State }));

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 3.1.5.3: associates a target with a stored job definition, once', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      await farm.stored(job);
      assert.deepEqual(await add(client, job, target), [0]);
      await setState(client, job, target, Buffer.from([1, 2]));
      assert.deepEqual(await add(client, job, target), [0]);
      assert.deepEqual(await exists(client, job, target), [0, true]);
      // A second association would have come back as a second row, or without the state.
      assert.deepEqual(await state(client, job, target), [0, [[Buffer.from([1, 2])]]]);
    }));

  test('MS-WSSCFGD2 3.1.5.3: returns 31 and stores nothing when the job definition does not exist', () =>
    withFarm(async ({ client }) => {
      assert.deepEqual(await add(client, noJob, target), [31]);
      assert.deepEqual(await add(client, null, target), [31]);
      assert.deepEqual(await exists(client, null, null), [0, false]);
    }));

  test('MS-WSSCFGD2 3.1.5.3: a target that is NULL is refused with error 515', () =>
    withFarm(async (farm) => {
      await farm.stored(job);
      await assert.rejects(add(farm.client, job, null), { number: 515 });
      assert.deepEqual(await exists(farm.client, null, null), [0, false]);
    }));

  test('MS-WSSCFGD2 3.1.5.12: takes a target from one job definition and tells whether it has others', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      for (const id of [job, otherJob]) await farm.stored(id);
      for (const id of [target, otherTarget]) await add(client, job, id);
      await add(client, otherJob, target);
      assert.deepEqual(await remove(client, job, target), [0, true]);
      assert.deepEqual(await exists(client, otherJob, target), [0, true]);
      assert.deepEqual(await remove(client, job, target), [0, true]);
      assert.deepEqual(await remove(client, job, otherTarget), [0, false]);
      assert.deepEqual(await remove(client, noJob, target), [0, false]);
    }));

  test('MS-WSSCFGD2 3.1.5.12: takes a target from all job definitions when @JobId is NULL', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      for (const id of [job, otherJob]) {
        await farm.stored(id);
        await add(client, id, target);
      }
      await add(client, job, otherTarget);
      assert.deepEqual(await remove(client, null, target), [0, false]);
      assert.deepEqual(await exists(client, null, target), [0, false]);
      assert.deepEqual(await exists(client, job, otherTarget), [0, true]);
    }));

  test('MS-WSSCFGD2 3.1.5.13: takes all targets from a job definition and none from others', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      for (const id of [job, otherJob]) {
        await farm.stored(id);
        for (const to of [target, otherTarget]) await add(client, id, to);
      }
      assert.deepEqual(told(await client.call(deleteTimerTargetInstances, { JobId: null })), [0]);
      assert.deepEqual(await exists(client, job, target), [0, true]);
      assert.deepEqual(told(await client.call(deleteTimerTargetInstances, { JobId: job })), [0]);
      assert.deepEqual(await exists(client, job, null), [0, false]);
      assert.deepEqual(await exists(client, otherJob, otherTarget), [0, true]);
    }));

  test('MS-WSSCFGD2 3.1.5.44: a NULL leaves a filter out', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      await farm.stored(job);
      await add(client, job, target);
      assert.deepEqual(await exists(client, job, null), [0, true]);
      assert.deepEqual(await exists(client, null, target), [0, true]);
      assert.deepEqual(await exists(client, null, null), [0, true]);
      assert.deepEqual(await exists(client, job, otherTarget), [0, false]);
      assert.deepEqual(await exists(client, otherJob, target), [0, false]);
    }));

  test('MS-WSSCFGD2 3.1.5.45: returns one row for an association, NULL until a state is set, and none without one', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      await farm.stored(job);
      await add(client, job, target);
      assert.deepEqual(await state(client, job, target), [0, [[null]]]);
      assert.deepEqual(await state(client, job, otherTarget), [0, []]);
    }));

  test('MS-WSSCFGD2 3.1.5.67: sets a state of any size, or NULL, and associates nothing', () =>
    withFarm(async (farm) => {
      const { client } = farm;
      await farm.stored(job);
      await add(client, job, target);
      const large = Buffer.alloc(300_000, 7);
      for (const value of [large, Buffer.alloc(0), null]) {
        assert.deepEqual(await setState(client, job, target, value), [0]);
        assert.deepEqual(await state(client, job, target), [0, [[value]]]);
      }
      assert.deepEqual(await setState(client, job, otherTarget, large), [0]);
      assert.deepEqual(await state(client, job, otherTarget), [0, []]);
    }));
});
