import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Farm, guid, rootClass } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

const base = guid('c', 1);
const derived = guid('c', 2);
const furthest = guid('c', 3);

const plant = async (farm: Farm) => {
  await farm.putClass(base, rootClass);
  await farm.putClass(derived, base);
  await farm.putClass(furthest, derived);
  await farm.stored(guid('1'));
  await farm.stored(guid('2'), { ClassId: base });
  await farm.stored(guid('3'), { ClassId: furthest });
};
const ids = async (farm: Farm) => (await farm.changesSince(0n)).objects.map(({ id }) => id).sort();

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 3.1.5.14: removes the class, the classes derived from it at any depth, and their objects', () =>
    withFarm(async (farm) => {
      await plant(farm);
      assert.equal(await farm.dropClass(base), 0);
      assert.deepEqual(await ids(farm), [guid('1')]);
      for (const gone of [base, derived, furthest])
        assert.equal((await farm.put(guid('9'), { ClassId: gone })).status, 2);
      assert.deepEqual((await farm.changesSince(0n)).tombstones.map(({ id }) => id).sort(), [guid('2'), guid('3')]);
      assert.equal((await farm.put(guid('9'))).status, 0, 'the base class of what was removed stays');
    }));

  test('MS-WSSCFGD2 3.1.5.14: the children of removed objects go too, whatever their class', () =>
    withFarm(async (farm) => {
      await plant(farm);
      await farm.stored(guid('4'), { ParentId: guid('2') });
      assert.equal(await farm.dropClass(base), 0);
      assert.deepEqual(await ids(farm), [guid('1')]);
    }));

  test('MS-WSSCFGD2 3.1.5.14: error 547 and nothing removed when an object that stays depends on one that would go', () =>
    withFarm(async (farm) => {
      await plant(farm);
      await farm.depend(guid('1'), guid('3'));
      const before = await farm.changesSince(0n);
      await assert.rejects(farm.dropClass(base), { number: 547 });
      assert.deepEqual(await farm.changesSince(0n), before);
      assert.equal((await farm.put(guid('9'), { ClassId: derived })).status, 0, 'its classes stay too');
    }));

  test('MS-WSSCFGD2 3.1.5.14: dependencies among the objects that go do not block', () =>
    withFarm(async (farm) => {
      await plant(farm);
      await farm.depend(guid('2'), guid('3'));
      await farm.depend(guid('3'), guid('2'));
      assert.equal(await farm.dropClass(base), 0);
      assert.deepEqual(await ids(farm), [guid('1')]);
    }));

  test('MS-WSSCFGD2 3.1.5.14: an unknown class and NULL change nothing and return 0', () =>
    withFarm(async (farm) => {
      await plant(farm);
      const before = await farm.changesSince(0n);
      assert.equal(await farm.dropClass(guid('c', 0xff)), 0);
      assert.equal(await farm.dropClass(null), 0);
      assert.deepEqual(await farm.changesSince(0n), before);
    }));

  test('MS-WSSCFGD2 3.1.5.14: classes that derive from each other in a ring can be removed', () =>
    withFarm(async (farm) => {
      await plant(farm);
      assert.equal(await farm.putClass(base, furthest), 0);
      assert.equal(await farm.dropClass(derived), 0);
      assert.deepEqual(await ids(farm), [guid('1')]);
      assert.equal((await farm.put(guid('9'), { ClassId: base })).status, 2);
    }));
});
