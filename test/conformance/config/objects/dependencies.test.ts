import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getDependentObjectsByBaseClass } from '../../../../src/protocols/config/objects/get-dependent-objects-by-base-class.ts';
import { type Farm, guid, guidOf, rootClass } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

const dependee = guid('1');
const unknown = guid('ff');

const dependents = async (farm: Farm, classId: string | null, id: string | null) => {
  const { status, sets } = await farm.client.call(getDependentObjectsByBaseClass, {
    BaseClassId: classId,
    DependeeId: id,
  });
  assert.equal(status, 0);
  assert.equal(sets.length, 1);
  return sets[0]?.map((row) => guidOf(row['Id'])).sort();
};

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 3.1.5.50: an object that is not stored, on either side, is error 547', () =>
    withFarm(async (farm) => {
      await farm.stored(dependee);
      for (const [object, on] of [
        [unknown, dependee],
        [dependee, unknown],
        [null, dependee],
        [dependee, null],
      ] as const) {
        await assert.rejects(farm.depend(object, on), { number: 547, class: 16 });
      }
      assert.equal(await farm.drop(dependee), 0, 'nothing was stored');
    }));

  test('MS-WSSCFGD2 3.1.5.50: storing a dependency, also again, returns 0 and changes no version', () =>
    withFarm(async (farm) => {
      await farm.stored(dependee);
      await farm.stored(guid('2'));
      const before = (await farm.changesSince(0n)).objects;
      assert.equal(await farm.depend(guid('2'), dependee), 0);
      assert.equal(await farm.depend(guid('2'), dependee), 0);
      assert.deepEqual((await farm.changesSince(0n)).objects, before);
      assert.deepEqual(await dependents(farm, rootClass, dependee), [guid('2')]);
    }));

  test('MS-WSSCFGD2 3.1.5.50: an update of either object keeps the dependency', () =>
    withFarm(async (farm) => {
      const one = await farm.stored(dependee);
      const two = await farm.stored(guid('2'));
      await farm.depend(guid('2'), dependee);
      await farm.stored(dependee, { Version: one, Status: 1 });
      await farm.stored(guid('2'), { Version: two, Status: 1 });
      await assert.rejects(farm.drop(dependee), { number: 547 });
    }));

  test('MS-WSSCFGD2 3.1.5.22: lists the direct dependents of a class and of classes derived from it', () =>
    withFarm(async (farm) => {
      await farm.putClass(guid('c', 1), rootClass);
      await farm.putClass(guid('c', 2), guid('c', 1));
      await farm.putClass(guid('c', 3), null);
      await farm.stored(dependee);
      for (const at of [0, 1, 2, 3]) {
        await farm.stored(guid('d', at), { ClassId: guid('c', at) });
        await farm.depend(guid('d', at), dependee);
      }
      await farm.stored(guid('e'));
      await farm.depend(guid('e'), guid('d', 0));
      assert.deepEqual(await dependents(farm, rootClass, dependee), [guid('d', 0), guid('d', 1), guid('d', 2)]);
      assert.deepEqual(await dependents(farm, guid('c', 1), dependee), [guid('d', 1), guid('d', 2)]);
      assert.deepEqual(await dependents(farm, guid('c', 3), dependee), [guid('d', 3)]);
    }));

  test('MS-WSSCFGD2 3.1.5.22: returns an empty result set for an unknown class or object, and for NULL', () =>
    withFarm(async (farm) => {
      await farm.stored(dependee);
      await farm.depend(dependee, dependee);
      assert.deepEqual(await dependents(farm, rootClass, dependee), [dependee]);
      assert.deepEqual(await dependents(farm, unknown, dependee), []);
      assert.deepEqual(await dependents(farm, rootClass, unknown), []);
      assert.deepEqual(await dependents(farm, null, dependee), []);
      assert.deepEqual(await dependents(farm, rootClass, null), []);
    }));
});
