import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../src/base/clock.ts';
import { putPendingDistributionList } from '../../../../src/protocols/config/distribution-lists/put-pending-distribution-list.ts';
import { getNewObjects } from '../../../../src/protocols/config/objects/get-new-objects.ts';
import { guid } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

const nothing = { sets: 0, lastUpdate: undefined, objects: [], dependents: [], tombstones: [] };

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 3.1.5.25: returns exactly four result sets, in order, with the columns of the text', () =>
    withFarm(async (farm) => {
      await farm.stored(guid('1'));
      const { status, columns } = await farm.client.call(getNewObjects, { NewestCachedVersion: 0n });
      assert.equal(status, 0);
      assert.deepEqual(columns, [
        ['Version'],
        ['Id', 'ParentId', 'ClassId', 'Name', 'Status', 'Version', 'Properties'],
        ['DependantId'],
        ['Id', 'Version'],
      ]);
    }));

  test('MS-WSSCFGD2 3.1.5.25: a version is an exclusive lower bound, and objects come in the order of their versions', () =>
    withFarm(async (farm) => {
      const one = await farm.stored(guid('1'));
      const two = await farm.stored(guid('2'));
      const three = await farm.stored(guid('3'));
      const since = async (version: bigint) => (await farm.changesSince(version)).objects.map(({ id }) => id);
      assert.deepEqual(await since(0n), [guid('1'), guid('2'), guid('3')]);
      assert.deepEqual(await since(one - 1n), [guid('1'), guid('2'), guid('3')]);
      assert.deepEqual(await since(one), [guid('2'), guid('3')]);
      assert.deepEqual(await since(two), [guid('3')]);
      assert.deepEqual(await since(three - 1n), [guid('3')]);
      await farm.stored(guid('1'), { Version: one, Status: 1 });
      assert.deepEqual(await since(one), [guid('2'), guid('3'), guid('1')]);
    }));

  test('MS-WSSCFGD2 3.1.5.25: no result set and 0 when nothing is newer, 1 when the version is above the highest', () =>
    withFarm(async (farm) => {
      const highest = await farm.stored(guid('1'));
      assert.deepEqual(await farm.changesSince(highest), { status: 0, ...nothing });
      for (const ahead of [highest + 1n, highest + 4n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n]) {
        assert.deepEqual(await farm.changesSince(ahead), { status: 1, ...nothing }, String(ahead));
      }
    }));

  test('MS-WSSCFGD2 3.1.5.25: an empty database has nothing newer than 0 and is behind every other version', () =>
    withFarm(async (farm) => {
      assert.deepEqual(await farm.changesSince(0n), { status: 0, ...nothing });
      assert.deepEqual(await farm.changesSince(1n), { status: 1, ...nothing });
      assert.deepEqual(await farm.changesSince(2n), { status: 1, ...nothing });
    }));

  test('MS-WSSCFGD2 3.1.5.25: NULL compares with nothing: 0 and no result set', () =>
    withFarm(async (farm) => {
      await farm.stored(guid('1'));
      assert.deepEqual(await farm.changesSince(null), { status: 0, ...nothing });
    }));

  test('MS-WSSCFGD2 3.1.5.25.1: LastUpdate is above every version in use and below every later one', () =>
    withFarm(async (farm) => {
      const one = await farm.stored(guid('1'));
      const mark = (await farm.changesSince(0n)).lastUpdate ?? 0n;
      assert.ok(mark > one);
      assert.deepEqual(await farm.changesSince(mark), { status: 0, ...nothing }, 'a client may pass it back');
      const two = await farm.stored(guid('2'));
      const since = await farm.changesSince(mark);
      assert.deepEqual(
        since.objects.map(({ id, version }) => ({ id, version })),
        [{ id: guid('2'), version: two }],
      );
      const level = { SiteId: guid('5'), WebId: guid('6'), GroupName: 'Approvers', ModifiedBy: 'anna' };
      await farm.client.call(putPendingDistributionList, level);
      const later = await farm.changesSince(since.lastUpdate ?? 0n);
      assert.deepEqual(later, { status: 0, ...nothing }, 'the row versions of distribution lists do not count');
    }, new ManualClock()));

  test('MS-WSSCFGD2 3.1.5.25.2: a mere removal gives four result sets with an empty Modified Objects', () =>
    withFarm(async (farm) => {
      const one = await farm.stored(guid('1'));
      const two = await farm.stored(guid('2'));
      await farm.drop(guid('1'));
      const changes = await farm.changesSince(two);
      assert.equal(changes.status, 0);
      assert.equal(changes.sets, 4);
      assert.deepEqual(changes.objects, []);
      const [tombstone] = changes.tombstones;
      assert.equal(tombstone?.id, guid('1'));
      assert.ok((tombstone?.version ?? 0n) > two && two > one);
      assert.ok((changes.lastUpdate ?? 0n) > (tombstone?.version ?? 0n));
      assert.deepEqual(await farm.changesSince(tombstone?.version ?? 0n), { status: 0, ...nothing });
    }));

  test('MS-WSSCFGD2 3.1.5.25.3: Dependencies lists once who depends on a modified object, modified or not', () =>
    withFarm(async (farm) => {
      const one = await farm.stored(guid('1'));
      const two = await farm.stored(guid('2'));
      for (const id of [guid('3'), guid('4'), guid('5')]) await farm.stored(id);
      await farm.depend(guid('3'), guid('1'));
      await farm.depend(guid('3'), guid('2'));
      await farm.depend(guid('4'), guid('2'));
      await farm.depend(guid('5'), guid('4'));
      const mark = (await farm.changesSince(0n)).lastUpdate ?? 0n;
      await farm.stored(guid('1'), { Version: one, Status: 1 });
      await farm.stored(guid('2'), { Version: two, Status: 1 });
      const changes = await farm.changesSince(mark);
      assert.deepEqual(
        changes.objects.map(({ id }) => id),
        [guid('1'), guid('2')],
      );
      assert.deepEqual(changes.dependents, [guid('3'), guid('4')]);
    }));

  test('MS-WSSCFGD2 3.1.5.25.4: a tombstone comes to all whose version is lower, and to nobody else', () =>
    withFarm(async (farm) => {
      await farm.stored(guid('1'));
      await farm.stored(guid('2'));
      await farm.drop(guid('1'));
      const first = (await farm.changesSince(0n)).tombstones[0]?.version ?? 0n;
      await farm.drop(guid('2'));
      assert.deepEqual(
        (await farm.changesSince(0n)).tombstones.map(({ id }) => id),
        [guid('1'), guid('2')],
      );
      assert.deepEqual(
        (await farm.changesSince(first)).tombstones.map(({ id }) => id),
        [guid('2')],
      );
    }));
});
