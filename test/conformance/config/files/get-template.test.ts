import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getTemplate } from '../../../../src/protocols/config/files/get-template.ts';
import { guid } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

const images = (rows: readonly Readonly<Record<string, unknown>>[] | undefined) =>
  rows?.map((row) => (row['FileImage'] instanceof Buffer ? row['FileImage'].toString() : row['FileImage']));

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 3.1.5.39: returns every template for NULL or no @ObjId, in the order of the identifiers', () =>
    withFarm(async (farm) => {
      assert.deepEqual((await farm.client.call(getTemplate, {})).sets, [[]]);
      await farm.segment(guid('f', 2), Buffer.from('two'), 0);
      await farm.segment(guid('f', 1), Buffer.from('one'), 0);
      await farm.segment(guid('f', 3), Buffer.alloc(0), 0);
      const all = await farm.client.call(getTemplate, { ObjId: null });
      assert.equal(all.status, 0);
      assert.deepEqual(images(all.sets[0]), ['one', 'two', '']);
      assert.deepEqual(images((await farm.client.call(getTemplate, {})).sets[0]), ['one', 'two', '']);
    }));

  test('MS-WSSCFGD2 3.1.5.39: returns the one template asked for, or no row', () =>
    withFarm(async (farm) => {
      await farm.segment(guid('f', 1), Buffer.from('one'), 0);
      await farm.segment(guid('f', 2), Buffer.from('two'), 0);
      assert.deepEqual(images((await farm.client.rpc('proc_gettemplate', [])).sets[0]), ['one', 'two']);
      assert.deepEqual(images((await farm.client.call(getTemplate, { ObjId: guid('f', 2) })).sets[0]), ['two']);
      assert.deepEqual((await farm.client.call(getTemplate, { ObjId: guid('ff') })).sets, [[]]);
    }));
});
