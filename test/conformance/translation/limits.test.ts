import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addJob } from '../../../src/protocols/translation/add-job.ts';
import { forEachEngine } from '../../support/engines.ts';
import { JobsFixture, partitionA, partitionB } from '../jobs/fixture.ts';
import { translationProtocol } from '../jobs/protocols.ts';

const all = '00000000-0000-0000-0000-000000000000';

forEachEngine((engine) => {
  const fixture = new JobsFixture(engine, translationProtocol);
  const add = (JobId: bigint, more: Readonly<Record<string, unknown>>) =>
    fixture.call('AddJob', { JobId, ...translationProtocol.jobDefaults, ...more });
  const day = (moment: Date) => new Date(moment.toISOString().slice(0, 10));
  const hourOf = (offset = 0) => {
    const moment = fixture.at(offset * 3_600_000);
    return { Hour: moment.getUTCHours(), Date: day(moment) };
  };
  const counted = async (PartitionId: string, offset = 0) =>
    (await fixture.call('GetItemCount', { PartitionId, ...hourOf(offset) })).status;

  test('MS-TSSPROC 3.1.5.2: returns 1 and adds nothing when @MaxItemsPerDay would be exceeded', async () => {
    assert.deepEqual(await add(1n, { PartitionId: partitionA, ItemCount: 3, MaxItemsPerDay: 5 }), { status: 0 });
    assert.deepEqual(await add(2n, { PartitionId: partitionB, ItemCount: 3, MaxItemsPerDay: 5 }), { status: 1 });
    assert.deepEqual(await fixture.jobIds({ PartitionId: partitionB }), []);
    assert.equal(await counted(all), 3);
  });

  test('MS-TSSPROC 3.1.5.2: returns 1 when @MaxItemsPerPartitionPerDay would be exceeded in the job’s partition', async () => {
    const limit = { ItemCount: 2, MaxItemsPerPartitionPerDay: 3 };
    assert.deepEqual(await add(1n, { PartitionId: partitionA, ...limit }), { status: 0 });
    assert.deepEqual(await add(2n, { PartitionId: partitionA, ...limit }), { status: 1 });
    assert.deepEqual(await add(3n, { PartitionId: partitionB, ...limit }), { status: 0 });
    assert.deepEqual(await add(4n, limit), { status: 0 });
    assert.deepEqual(await add(5n, limit), { status: 1 });
  });

  test('MS-TSSPROC 3.1.5.2: a limit may be reached exactly; zero allows only zero items', async () => {
    assert.deepEqual(await add(1n, { ItemCount: 5, MaxItemsPerDay: 5, MaxItemsPerPartitionPerDay: 5 }), { status: 0 });
    assert.deepEqual(await add(2n, { ItemCount: 0, MaxItemsPerDay: 5 }), { status: 0 });
    assert.deepEqual(await add(3n, { ItemCount: 1, MaxItemsPerDay: 5 }), { status: 1 });
    assert.deepEqual(await add(4n, { ItemCount: 1, MaxItemsPerDay: 0 }), { status: 1 });
  });

  test('MS-TSSPROC 3.1.5.2: @ItemCount NULL checks and counts nothing, a NULL limit is no limit', async () => {
    assert.deepEqual(await add(1n, { MaxItemsPerDay: 0, MaxItemsPerPartitionPerDay: 0 }), { status: 0 });
    assert.equal(await counted(all), 0);
    assert.deepEqual(await add(2n, { ItemCount: 1000 }), { status: 0 });
    assert.equal(await counted(all), 1000);
  });

  test('MS-TSSPROC 3.1.5.2: the limits look back 24 hours', async () => {
    assert.deepEqual(await add(1n, { ItemCount: 1, MaxItemsPerDay: 1 }), { status: 0 });
    fixture.clock.advance(23 * 3_600_000);
    assert.deepEqual(await add(2n, { ItemCount: 1, MaxItemsPerDay: 1 }), { status: 1 });
    fixture.clock.advance(3_600_000);
    assert.deepEqual(await add(2n, { ItemCount: 1, MaxItemsPerDay: 1 }), { status: 0 });
  });

  test('MS-TSSPROC 3.1.5.2: a failed call counts nothing: duplicate JobId, negative @ItemCount', async () => {
    assert.deepEqual(await add(1n, {}), { status: 0 });
    assert.deepEqual(await add(1n, { ItemCount: 4 }), { error: 2627 });
    assert.deepEqual(await add(2n, { ItemCount: -1 }), { error: 50000 });
    assert.equal(await counted(all), 0);
  });

  test('MS-TSSPROC 3.1.5.2: a negative @ItemCount fails even where a limit would refuse the job', async () => {
    assert.deepEqual(await add(1n, { ItemCount: 4 }), { status: 0 });
    assert.deepEqual(await add(2n, { ItemCount: -1, MaxItemsPerDay: 2 }), { error: 50000 });
    assert.deepEqual(await add(2n, { ItemCount: -1, MaxItemsPerPartitionPerDay: 2 }), { error: 50000 });
    assert.equal(await counted(all), 4);
  });

  test('MS-TSSPROC 3.1.5.2: of calls at once only as many pass as the limit allows', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => fixture.connect()));
    const answers = await Promise.all(
      clients.map((client, place) =>
        client.call(addJob, {
          JobId: BigInt(place + 1),
          UserToken: Buffer.from([1]),
          Settings: '',
          ItemCount: 2,
          MaxItemsPerDay: 5,
        }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [0, 0, 1, 1, 1, 1]);
    assert.equal(await counted(all), 4);
  });

  test('MS-TSSPROC 3.1.5.2: @UserToken and @Settings must not be NULL', async () => {
    assert.deepEqual(await add(1n, { UserToken: null }), { error: 515 });
    assert.deepEqual(await add(1n, { Settings: null }), { error: 515 });
    assert.deepEqual(await fixture.jobIds(), []);
  });

  test('MS-TSSPROC 3.1.5.8: counts the 24 hours that end with @Hour of @Date, in a partition or in all', async () => {
    const update = (PartitionId: string, offset: number, ItemCount: number) =>
      fixture.done('UpdateItemCount', { PartitionId, ...hourOf(offset), ItemCount });
    await update(partitionA, 0, 1);
    await update(partitionA, -23, 2);
    await update(partitionA, -24, 4);
    await update(partitionA, 1, 8);
    await update(partitionB, 0, 16);
    await update(all, 0, 32);
    assert.equal(await counted(partitionA), 3);
    assert.equal(await counted(partitionB), 16);
    assert.equal(await counted(all), 51);
    assert.equal(await counted(partitionA, 1), 9);
    assert.equal(await counted(partitionA, -24), 4);
    assert.equal(await counted('77777777-7777-4777-8777-777777777777'), 0);
  });

  test('MS-TSSPROC 3.1.5.8: no result set, and at most the greatest int', async () => {
    const most = 2147483647;
    await fixture.done('UpdateItemCount', { PartitionId: partitionA, ...hourOf(), ItemCount: most });
    await fixture.done('UpdateItemCount', { PartitionId: partitionB, ...hourOf(), ItemCount: most });
    assert.deepEqual(await fixture.call('GetItemCount', { PartitionId: all, ...hourOf() }), { status: most });
  });

  test('MS-TSSPROC 3.1.5.8: @Hour is 0 to 23 and nothing is NULL', async () => {
    const ask = (more: object) => fixture.call('GetItemCount', { PartitionId: all, ...hourOf(), ...more });
    assert.deepEqual(await ask({ Hour: 24 }), { error: 50000 });
    assert.deepEqual(await ask({ Hour: -1 }), { error: 50000 });
    assert.deepEqual(await ask({ Hour: null }), { error: 515 });
    assert.deepEqual(await ask({ Date: null }), { error: 515 });
    assert.deepEqual(await ask({ PartitionId: null }), { error: 515 });
  });

  test('MS-TSSPROC 3.1.5.17: adds to the count; bad input and an overflow add nothing', async () => {
    const update = (more: object) =>
      fixture.call('UpdateItemCount', { PartitionId: partitionA, ...hourOf(), ItemCount: 2, ...more });
    assert.deepEqual(await update({}), { status: 0 });
    assert.deepEqual(await update({ ItemCount: 3 }), { status: 0 });
    assert.deepEqual(await update({ ItemCount: -1 }), { error: 50000 });
    assert.deepEqual(await update({ ItemCount: null }), { error: 515 });
    assert.deepEqual(await update({ Hour: 24 }), { error: 50000 });
    assert.deepEqual(await update({ PartitionId: null }), { error: 515 });
    assert.deepEqual(await update({ ItemCount: 2147483647 }), { error: 8115 });
    assert.equal(await counted(partitionA), 5);
  });

  test('MS-TSSPROC 3.1.5.13: deleting a job does not lower the count of items added', async () => {
    assert.deepEqual(await add(1n, { ItemCount: 3 }), { status: 0 });
    await fixture.done('JobsExpire', { JobId: 1n, IncludeActiveJobs: true });
    assert.equal(await counted(all), 3);
  });
});
