import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putClass } from '../../../../src/protocols/config/objects/put-class.ts';
import { emptyGuid, guid, rootClass } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

const derived = guid('c', 1);
const unknown = guid('c', 0xff);

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 3.1.5.49: stores a class under a registered base class', () =>
    withFarm(async (farm) => {
      assert.equal(await farm.putClass(derived, rootClass), 0);
      assert.equal((await farm.put(guid('1'), { ClassId: derived })).status, 0);
    }));

  test('MS-WSSCFGD2 3.1.5.49: returns 1 for an unknown base class and stores nothing', () =>
    withFarm(async (farm) => {
      assert.equal(await farm.putClass(derived, unknown), 1);
      assert.equal(await farm.putClass(derived, derived), 1, 'its own base before it is registered');
      assert.equal((await farm.put(guid('1'), { ClassId: derived })).status, 2);
    }));

  test('MS-WSSCFGD2 3.1.5.49: NULL and the empty GUID make a root class', () =>
    withFarm(async (farm) => {
      assert.equal(await farm.putClass(derived, null), 0);
      assert.equal(await farm.putClass(guid('c', 2), emptyGuid), 0);
      assert.equal((await farm.put(guid('1'), { ClassId: guid('c', 2) })).status, 0);
    }));

  test('MS-WSSCFGD2 3.1.5.49: storing a class again replaces its base and its name and leaves its objects', () =>
    withFarm(async (farm) => {
      await farm.putClass(derived, null);
      const version = await farm.stored(guid('1'), { ClassId: derived });
      assert.equal(await farm.putClass(derived, rootClass, 'Example.Other'), 0);
      assert.equal((await farm.object(guid('1')))?.version, version);
      const { sets } = await farm.client.batch(`select FullName from Classes where Id = '${derived}'`);
      assert.deepEqual(sets, [[{ FullName: 'Example.Other' }]]);
      assert.equal(await farm.dropClass(rootClass), 0);
      assert.equal(await farm.object(guid('1')), undefined, 'it went with the new base class');
    }));

  test('MS-WSSCFGD2 3.1.5.49: NULL as @FullName or @Id is error 515 and stores nothing', () =>
    withFarm(async (farm) => {
      const put = (input: Record<string, unknown>) =>
        farm.client.callLoosely(putClass, { BaseClassId: null, ...input });
      await assert.rejects(put({ Id: derived, FullName: null }), { number: 515 });
      await assert.rejects(put({ Id: null, FullName: 'Example.Class' }), { number: 515 });
      assert.equal((await farm.put(guid('1'), { ClassId: derived })).status, 2);
    }));

  test('MS-WSSCFGD2 3.1.5.49: a full name of more than 256 characters is cut to them', () =>
    withFarm(async (farm) => {
      assert.equal(await farm.putClass(derived, null, 'x'.repeat(257)), 0);
      assert.equal((await farm.put(guid('1'), { ClassId: derived })).status, 0);
    }));

  test('MS-WSSCFGD2 3.1.5.49: hands @RequestGuid back and returns no result set', () =>
    withFarm(async (farm) => {
      const request = guid('abc', 1);
      const answer = await farm.client.call(putClass, {
        Id: derived,
        BaseClassId: null,
        FullName: 'Example.Class',
        RequestGuid: request,
      });
      assert.equal(answer.sets.length, 0);
      assert.equal(String(answer.output['RequestGuid']).toLowerCase(), request);
    }));
});
