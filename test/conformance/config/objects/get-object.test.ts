import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getObject } from '../../../../src/protocols/config/objects/get-object.ts';
import { guid } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

forEachFarm((withFarm) => {
  test('MS-WSSFO2 3.1.5.35 (addition): proc_getObject returns the object with the columns of Modified Objects', () =>
    withFarm(async (farm) => {
      await farm.stored(guid('1'), { Name: 'Farm' });
      const answer = await farm.client.call(getObject, { Id: guid('1') });
      assert.equal(answer.status, 0);
      assert.deepEqual(answer.columns, [['Id', 'ParentId', 'ClassId', 'Name', 'Status', 'Version', 'Properties']]);
      assert.deepEqual((await farm.changesSince(0n)).objects, [await farm.object(guid('1'))]);
    }));

  test('MS-WSSFO2 3.1.5.35 (addition): proc_getObject returns no row for an unknown identifier or NULL', () =>
    withFarm(async (farm) => {
      assert.deepEqual((await farm.client.call(getObject, { Id: guid('ff') })).sets, [[]]);
      assert.deepEqual((await farm.client.call(getObject, { Id: null })).sets, [[]]);
    }));
});
