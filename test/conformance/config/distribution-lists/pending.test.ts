import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TYPES } from 'tedious';
import { dropPendingDistributionList } from '../../../../src/protocols/config/distribution-lists/drop-pending-distribution-list.ts';
import { getPendingDistributionListsSinceVersion } from '../../../../src/protocols/config/distribution-lists/get-pending-distribution-lists-since-version.ts';
import { putPendingDistributionList } from '../../../../src/protocols/config/distribution-lists/put-pending-distribution-list.ts';
import { type Farm, guid } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

const level = { SiteId: guid('5', 1), WebId: guid('6', 1), GroupName: 'Approvers' };
const put = async ({ client }: Farm, more: object = {}) => {
  const { status, sets, columns } = await client.call(putPendingDistributionList, {
    ...level,
    ModifiedBy: 'anna',
    ...more,
  });
  assert.deepEqual([status, columns], [0, [['']]]);
  return sets[0];
};
const since = async ({ client }: Farm, version: bigint | null) => {
  const { status, sets } = await client.call(getPendingDistributionListsSinceVersion, { Version: version });
  assert.equal(status, 0);
  return (sets[0] ?? []).map((row) => ({ group: String(row['GroupName']), version: BigInt(String(row[''])) }));
};

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 3.1.5.55.1: an empty result set when nothing was pending, a row with 0 when it was', () =>
    withFarm(async (farm) => {
      assert.deepEqual(await put(farm), []);
      assert.deepEqual(await put(farm), [{ '': 0 }]);
      assert.deepEqual(
        await put(farm, { GroupName: 'APPROVERS ' }),
        [{ '': 0 }],
        'case and trailing blanks do not count',
      );
      assert.deepEqual(await put(farm, { GroupName: 'Editors' }), []);
      assert.deepEqual(await put(farm, { WebId: guid('6', 2) }), []);
      assert.deepEqual(await put(farm, { SiteId: guid('5', 2) }), []);
      assert.equal((await since(farm, 0n)).length, 4, 'one entry a permission level');
    }));

  test('MS-WSSCFGD2 3.1.5.26: lists the entries above a version, and those renewed since', () =>
    withFarm(async (farm) => {
      await put(farm);
      await put(farm, { GroupName: 'Editors' });
      const [one, two] = await since(farm, 0n);
      assert.ok(one && two && 0n < one.version && one.version < two.version);
      assert.deepEqual(await since(farm, one.version), [two]);
      assert.deepEqual(await since(farm, two.version), []);
      await put(farm);
      const [renewed] = await since(farm, two.version);
      assert.equal(renewed?.group, 'Approvers');
      assert.ok((renewed?.version ?? 0n) > two.version);
    }));

  test('MS-WSSCFGD2 2.2.6.3: an entry tells who asked for an operation last, and the name as it was given last', () =>
    withFarm(async (farm) => {
      await put(farm);
      await put(farm, { GroupName: 'APPROVERS', ModifiedBy: 'ben' });
      const { sets } = await farm.client.batch('select GroupName, ModifiedBy from PendingDistributionLists');
      assert.deepEqual(sets, [[{ GroupName: 'APPROVERS', ModifiedBy: 'ben' }]]);
    }));

  test('MS-WSSCFGD2 3.1.5.26: NULL and versions above all return an empty result set', () =>
    withFarm(async (farm) => {
      await put(farm);
      for (const version of [null, 2n ** 63n - 1n, 2n ** 64n - 1n]) assert.deepEqual(await since(farm, version), []);
    }));

  test('MS-WSSCFGD2 3.1.5.26: the columns are SiteId, WebId, GroupName and one without a name', () =>
    withFarm(async (farm) => {
      await put(farm);
      const { columns, sets } = await farm.client.call(getPendingDistributionListsSinceVersion, { Version: 0n });
      assert.deepEqual(columns, [['SiteId', 'WebId', 'GroupName', '']]);
      assert.equal(String(sets[0]?.[0]?.['SiteId']).toLowerCase(), level.SiteId);
      assert.equal(String(sets[0]?.[0]?.['WebId']).toLowerCase(), level.WebId);
    }));

  test('MS-WSSCFGD2 3.1.5.19: removes one entry; nothing where there is none', () =>
    withFarm(async (farm) => {
      await put(farm);
      await put(farm, { GroupName: 'Editors' });
      await put(farm, { GroupName: 'Approvers', SiteId: guid('5', 2) });
      await put(farm, { GroupName: 'Approvers', WebId: guid('6', 2) });
      for (const group of ['approvers', 'approvers', null]) {
        const answer = await farm.client.call(dropPendingDistributionList, { ...level, GroupName: group });
        assert.deepEqual([answer.status, answer.sets.length], [0, 0]);
      }
      assert.deepEqual(
        (await since(farm, 0n)).map(({ group }) => group),
        ['Editors', 'Approvers', 'Approvers'],
        'those of other sites stay',
      );
      assert.deepEqual(await put(farm), [], 'nothing is pending any more');
    }));

  test('MS-WSSCFGD2 4.2.3: proc_dropPendingDistribution is the same procedure', () =>
    withFarm(async (farm) => {
      await put(farm);
      await farm.client.rpc('proc_dropPendingDistribution', [
        { name: 'SiteId', type: TYPES.UniqueIdentifier, value: level.SiteId },
        { name: 'WebId', type: TYPES.UniqueIdentifier, value: level.WebId },
        { name: 'GroupName', type: TYPES.NVarChar, value: level.GroupName },
      ]);
      assert.deepEqual(await since(farm, 0n), []);
    }));

  test('MS-WSSCFGD2 3.1.5.55: NULL for any argument is error 515 and stores nothing', () =>
    withFarm(async (farm) => {
      for (const missing of ['SiteId', 'WebId', 'GroupName', 'ModifiedBy']) {
        await assert.rejects(put(farm, { [missing]: null }), { number: 515 });
      }
      assert.deepEqual(await since(farm, 0n), []);
    }));

  test('MS-WSSCFGD2 3.1.5.55: names of more than 255 characters are cut to them', () =>
    withFarm(async (farm) => {
      assert.deepEqual(await put(farm, { GroupName: 'g'.repeat(256), ModifiedBy: 'm'.repeat(300) }), []);
      assert.deepEqual(
        (await since(farm, 0n)).map(({ group }) => group),
        ['g'.repeat(255)],
      );
    }));
});
