import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../src/engine/sql.ts';
import { uniqueidentifier } from '../../../../src/tds/types/index.ts';
import { type Farm, guid } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

const root = guid('1');
const child = guid('2');
const grandchild = guid('3');
const outside = guid('4');

const plant = async (farm: Farm) => {
  await farm.stored(root);
  await farm.stored(child, { ParentId: root });
  await farm.stored(grandchild, { ParentId: child });
  await farm.stored(outside);
};

const ids = async (farm: Farm) => (await farm.changesSince(0n)).objects.map(({ id }) => id).sort();

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 3.1.5.18: returns 1 for an object that is not stored, and for NULL', () =>
    withFarm(async (farm) => {
      await plant(farm);
      const before = await farm.changesSince(0n);
      assert.equal(await farm.drop(guid('ff')), 1);
      assert.equal(await farm.drop(null), 1);
      assert.deepEqual(await farm.changesSince(0n), before);
    }));

  test('MS-WSSCFGD2 3.1.5.18: removes the object and its descendants and leaves a tombstone for each', () =>
    withFarm(async (farm) => {
      await plant(farm);
      const before = await farm.changesSince(0n);
      const highest = before.objects.at(-1)?.version ?? 0n;
      assert.equal(await farm.drop(root), 0);
      const after = await farm.changesSince(highest);
      assert.deepEqual(await ids(farm), [outside]);
      assert.deepEqual(after.objects, []);
      assert.deepEqual(after.tombstones.map(({ id }) => id).sort(), [root, child, grandchild]);
      const versions = after.tombstones.map(({ version }) => version);
      assert.equal(new Set(versions).size, 3);
      assert.ok(versions.every((version) => version > (before.lastUpdate ?? 0n)));
      assert.equal(await farm.drop(root), 1, 'it is gone');
    }));

  test('MS-WSSCFGD2 3.1.5.18: error 547 while another object depends on it, and nothing is removed', () =>
    withFarm(async (farm) => {
      await plant(farm);
      await farm.depend(outside, root);
      const before = await farm.changesSince(0n);
      await assert.rejects(farm.drop(root), { number: 547, class: 16 });
      assert.deepEqual(await farm.changesSince(0n), before);
    }));

  test('MS-WSSCFGD2 3.1.5.18: error 547 when an object outside depends on a descendant', () =>
    withFarm(async (farm) => {
      await plant(farm);
      await farm.depend(outside, grandchild);
      const before = await farm.changesSince(0n);
      await assert.rejects(farm.drop(root), { number: 547 });
      assert.deepEqual(await farm.changesSince(0n), before);
    }));

  test('MS-WSSCFGD2 3.1.5.18: error 547 when even a descendant depends on the object', () =>
    withFarm(async (farm) => {
      await plant(farm);
      await farm.depend(grandchild, root);
      await assert.rejects(farm.drop(root), { number: 547 });
      assert.equal((await ids(farm)).length, 4);
      assert.equal(await farm.drop(grandchild), 0);
      assert.equal(await farm.drop(root), 0);
    }));

  test('MS-WSSCFGD2 3.1.5.18: dependencies among descendants do not block', () =>
    withFarm(async (farm) => {
      await plant(farm);
      await farm.depend(grandchild, child);
      assert.equal(await farm.drop(root), 0);
      assert.deepEqual(await ids(farm), [outside]);
    }));

  test('MS-WSSCFGD2 3.1.5.18: a dependency ends with the object that depends', () =>
    withFarm(async (farm) => {
      await plant(farm);
      await farm.depend(grandchild, outside);
      await assert.rejects(farm.drop(outside), { number: 547 });
      assert.equal(await farm.drop(root), 0);
      assert.equal(await farm.drop(outside), 0);
    }));

  test('MS-WSSCFGD2 3.1.5.18: an object that depends on itself can be removed', () =>
    withFarm(async (farm) => {
      await plant(farm);
      assert.equal(await farm.depend(outside, outside), 0);
      assert.equal(await farm.drop(outside), 0);
    }));

  test('MS-WSSCFGD2 3.1.5.18: the files of removed objects go with them, others stay', () =>
    withFarm(async (farm, { database }) => {
      await plant(farm);
      await farm.segment(child, Buffer.from('a'), 0);
      await farm.segment(outside, Buffer.from('b'), 0);
      assert.equal(await farm.drop(root), 0);
      assert.equal(await farm.file(child), undefined);
      assert.equal((await farm.file(outside))?.toString(), 'b');
      const chunks = await database.read((db) =>
        db.all({ Id: uniqueidentifier }, sql`select object_id as "Id" from file_chunks`),
      );
      assert.deepEqual(chunks, [{ Id: outside }], 'their bytes too');
    }));

  test('MS-WSSCFGD2 3.1.5.18: removes a tree of 500 objects at once', () =>
    withFarm(async (farm) => {
      await farm.stored(root);
      const parents = [root];
      for (let at = 0; at < 500; at++) {
        const id = guid('a', at);
        await farm.stored(id, { ParentId: parents[at >> 2] ?? root });
        parents.push(id);
      }
      const mark = (await farm.changesSince(0n)).lastUpdate ?? 0n;
      assert.equal(await farm.drop(root), 0);
      const { tombstones } = await farm.changesSince(mark);
      assert.equal(tombstones.length, 501);
      assert.equal(new Set(tombstones.map(({ version }) => version)).size, 501);
    }));
});
