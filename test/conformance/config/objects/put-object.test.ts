import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyGuid, type Farm, guid, rootClass } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

const root = guid('1');
const child = guid('2');
const other = guid('3');
const unknown = guid('ff');

/** What the database holds, to see that a refusal changed nothing. */
const all = async (farm: Farm) => {
  const { objects, tombstones } = await farm.changesSince(0n);
  return { objects, tombstones };
};

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 3.1.5.54: stores a new object and sets @NewVersion', () =>
    withFarm(async (farm) => {
      const put = await farm.put(root, { Name: 'Farm', Status: 7, Properties: '<object a="ü"/>' });
      assert.deepEqual({ ...put, version: 'set' }, { status: 0, sets: 0, existing: null, version: 'set' });
      assert.deepEqual(await farm.object(root), {
        id: root,
        parent: null,
        class: rootClass,
        name: 'Farm',
        status: 7,
        version: put.version,
        properties: '<object a="ü"/>',
      });
    }));

  test('MS-WSSCFGD2 3.1.5.54: an update replaces parent, class, name, status and properties under a higher version', () =>
    withFarm(async (farm) => {
      await farm.putClass(guid('c', 1), null);
      const above = await farm.stored(root);
      const first = await farm.stored(child, { ParentId: null });
      const changed = { ParentId: root, ClassId: guid('c', 1), Name: 'New', Status: null, Properties: '' };
      const second = await farm.stored(child, { ...changed, Version: first });
      assert.ok(second > first && first > above);
      assert.deepEqual(await farm.object(child), {
        id: child,
        parent: root,
        class: guid('c', 1),
        name: 'New',
        status: null,
        version: second,
        properties: '',
      });
    }));

  test('MS-WSSCFGD2 3.1.5.54: returns 1 for a version of an object that is not stored', () =>
    withFarm(async (farm) => {
      const before = await all(farm);
      assert.deepEqual(await farm.put(unknown, { Version: 4n }), { status: 1, sets: 0, existing: null, version: null });
      assert.deepEqual(await all(farm), before);
    }));

  test('MS-WSSCFGD2 3.1.5.54: returns 2 for a class that is not registered, new or update', () =>
    withFarm(async (farm) => {
      const version = await farm.stored(root);
      const before = await all(farm);
      assert.equal((await farm.put(child, { ClassId: unknown })).status, 2);
      assert.equal((await farm.put(child, { ClassId: null })).status, 2);
      assert.equal((await farm.put(root, { ClassId: unknown, Version: version })).status, 2);
      assert.equal((await farm.put(root, { ClassId: unknown, Version: version + 1n })).status, 2, '2 goes before 4');
      assert.deepEqual(await all(farm), before);
    }));

  test('MS-WSSCFGD2 3.1.5.54: returns 3 for a new object with an unknown parent, no name, no properties or no identifier', () =>
    withFarm(async (farm) => {
      const before = await all(farm);
      assert.equal((await farm.put(child, { ParentId: unknown })).status, 3);
      assert.equal((await farm.put(child, { Name: null })).status, 3);
      assert.equal((await farm.put(child, { Properties: null })).status, 3);
      assert.equal((await farm.put(child, { Id: null })).status, 3);
      assert.equal((await farm.put(emptyGuid)).status, 3);
      assert.deepEqual(await all(farm), before);
    }));

  test('MS-WSSCFGD2 3.1.5.54: returns 4 for a stale version, one of the future, and one that never was', () =>
    withFarm(async (farm) => {
      const stale = await farm.stored(root);
      const version = await farm.stored(root, { Version: stale, Status: 1 });
      const before = await all(farm);
      for (const wrong of [stale, version + 1n, version + 4n, version - 1n, 0n, 2n ** 63n - 1n, 2n ** 64n - 1n]) {
        assert.equal((await farm.put(root, { Version: wrong, Status: 9 })).status, 4, String(wrong));
      }
      assert.deepEqual(await all(farm), before);
      assert.equal((await farm.put(root, { Version: version, Status: 2 })).status, 0);
    }));

  test("MS-WSSCFGD2 3.1.5.54: returns 5 for an update to an unknown parent, a descendant as parent, no name, no properties or a sibling's name", () =>
    withFarm(async (farm) => {
      const version = await farm.stored(root, { Name: 'root' });
      await farm.stored(child, { ParentId: root, Name: 'child' });
      await farm.stored(other, { ParentId: child, Name: 'grandchild' });
      await farm.stored(guid('4'), { Name: 'sibling' });
      const before = await all(farm);
      const update = async (more: object) => (await farm.put(root, { Name: 'root', Version: version, ...more })).status;
      assert.equal(await update({ ParentId: unknown }), 5);
      assert.equal(await update({ ParentId: child }), 5);
      assert.equal(await update({ ParentId: other }), 5);
      assert.equal(await update({ Name: null }), 5);
      assert.equal(await update({ Properties: null }), 5);
      assert.equal(await update({ Name: 'SIBLING' }), 5);
      assert.deepEqual(await all(farm), before);
      assert.equal(await update({}), 0, 'its own name is no duplicate');
    }));

  test('MS-WSSCFGD2 3.1.5.54: returns 8 and sets @ExistingObject for the name of another object of the class under the parent', () =>
    withFarm(async (farm) => {
      await farm.putClass(guid('c', 1), null);
      await farm.stored(root, { Name: 'root' });
      await farm.stored(child, { ParentId: root, Name: 'Nightly' });
      const before = await all(farm);
      const put = (more: object) => farm.put(other, { ParentId: root, Name: 'Nightly', ...more });
      assert.deepEqual(await put({}), { status: 8, sets: 0, existing: child, version: null });
      assert.equal((await put({ Name: 'NIGHTLY  ' })).status, 8, 'case and trailing blanks do not count');
      assert.deepEqual(await all(farm), before);
      assert.equal((await put({ Name: 'Nïghtly' })).status, 0, 'accents do');
      assert.equal((await farm.put(guid('5'), { ParentId: root, Name: 'nightly', ClassId: guid('c', 1) })).status, 0);
      assert.equal((await farm.put(guid('6'), { ParentId: child, Name: 'nightly' })).status, 0);
    }));

  test('MS-WSSCFGD2 3.1.5.54: an object that is renamed, moved or given another class frees its place and holds the new one', () =>
    withFarm(async (farm) => {
      await farm.putClass(guid('c', 1), null);
      await farm.stored(root, { Name: 'root' });
      let version = await farm.stored(child, { ParentId: root, Name: 'one' });
      let place = { ParentId: root, Name: 'one', ClassId: rootClass };
      const changes = [{ Name: 'two' }, { ParentId: other }, { ClassId: guid('c', 1) }];
      await farm.stored(other, { Name: 'other' });
      for (const [at, change] of changes.entries()) {
        const left = place;
        place = { ...place, ...change };
        version = await farm.stored(child, { ...place, Version: version });
        assert.deepEqual(await farm.put(guid('9'), place), { status: 8, sets: 0, existing: child, version: null });
        assert.equal((await farm.put(guid('a', at), left)).status, 0, 'the old place is free');
      }
    }));

  test('MS-WSSCFGD2 3.1.5.54: roots of one class have different names too, whichever way they say that they are roots', () =>
    withFarm(async (farm) => {
      await farm.stored(root, { Name: 'Farm', ParentId: emptyGuid });
      assert.deepEqual(await farm.put(other, { Name: 'farm' }), { status: 8, sets: 0, existing: root, version: null });
      assert.equal((await farm.object(root))?.parent, emptyGuid, 'a parent is returned as it was given');
    }));

  test('MS-WSSCFGD2 3.1.5.54: an object may be its own parent and is a root then', () =>
    withFarm(async (farm) => {
      const version = await farm.stored(root, { ParentId: root });
      assert.equal((await farm.object(root))?.parent, root);
      assert.equal((await farm.put(root, { ParentId: root, Version: version, Status: 1 })).status, 0);
      assert.equal(await farm.drop(root), 0);
    }));

  test('MS-WSSCFGD2 3.1.5.54: returns 9 for a new object whose identifier is stored', () =>
    withFarm(async (farm) => {
      await farm.stored(root, { Name: 'a' });
      await farm.stored(other, { Name: 'b' });
      const before = await all(farm);
      assert.deepEqual(await farm.put(root, { Name: 'a' }), { status: 9, sets: 0, existing: null, version: null });
      assert.deepEqual(await farm.put(root, { Name: 'c', ClassId: unknown }), {
        status: 9,
        sets: 0,
        existing: null,
        version: null,
      });
      const named = await farm.put(root, { Name: 'B' });
      assert.deepEqual(named, { status: 9, sets: 0, existing: other, version: null }, 'another object has the name');
      assert.deepEqual(await all(farm), before);
    }));

  test('MS-WSSCFGD2 3.1.5.54: outputs that are not set come back as they were passed', () =>
    withFarm(async (farm) => {
      const passed = { ExistingObject: guid('ee'), NewVersion: 77n };
      assert.deepEqual(await farm.put(child, { ...passed, ClassId: unknown }), {
        status: 2,
        sets: 0,
        existing: guid('ee'),
        version: 77n,
      });
      const stored = await farm.put(child, passed);
      assert.equal(stored.existing, guid('ee'));
      assert.notEqual(stored.version, 77n);
    }));

  test('MS-WSSCFGD2 3.1.5.54: @AutoResolveMissingTypes is ignored', () =>
    withFarm(async (farm) => {
      for (const [at, flag] of [true, false, null].entries()) {
        assert.equal((await farm.put(guid('a', at), { AutoResolveMissingTypes: flag })).status, 0);
        assert.equal((await farm.put(guid('b', at), { AutoResolveMissingTypes: flag, ClassId: unknown })).status, 2);
      }
    }));

  test('MS-WSSCFGD2 3.1.5.54: a name of more than 128 characters is cut to them, and so meets its like', () =>
    withFarm(async (farm) => {
      assert.equal((await farm.put(root, { Name: 'n'.repeat(129) })).status, 0);
      assert.equal((await farm.put(guid('2'), { Name: 'n'.repeat(128) })).status, 8);
    }));

  test('MS-WSSCFGD2 3.1.5.54: names that the collation calls equal are one name', () =>
    withFarm(async (farm) => {
      assert.equal((await farm.put(root, { Name: 'Straße re\u0301sume\u0301' })).status, 0);
      for (const Name of ['STRASSE résumé', 'strasse RÉSUMÉ  ', 'stra\u00adsse résumé'])
        assert.equal((await farm.put(guid('2'), { Name })).status, 8, Name);
      assert.equal((await farm.put(guid('2'), { Name: 'strasse resume' })).status, 0);
    }));

  test('MS-WSSCFGD2 3.1.5.54: properties of a megabyte come back as they were stored', () =>
    withFarm(async (farm) => {
      const properties = `<object>${'€𝄞x'.repeat(300_000)}</object>`;
      await farm.stored(root, { Properties: properties });
      assert.ok((await farm.object(root))?.properties === properties);
    }));

  test('MS-WSSCFGD2 3.1.5.54: storing a removed identifier again removes its tombstone', () =>
    withFarm(async (farm) => {
      await farm.stored(root);
      const mark = (await farm.changesSince(0n)).lastUpdate ?? 0n;
      await farm.drop(root);
      const version = await farm.stored(root, { Name: 'again' });
      const changes = await farm.changesSince(mark);
      assert.deepEqual(changes.tombstones, []);
      assert.deepEqual(
        changes.objects.map(({ id, version }) => ({ id, version })),
        [{ id: root, version }],
      );
    }));
});
