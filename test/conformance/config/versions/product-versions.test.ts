import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TYPES } from 'tedious';
import { clearProductVersions } from '../../../../src/protocols/config/versions/clear-product-versions.ts';
import { getProductVersions } from '../../../../src/protocols/config/versions/get-product-versions.ts';
import { registerProductVersion } from '../../../../src/protocols/config/versions/register-product-version.ts';
import { type Farm, guid, guidOf } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

const server = guid('a', 1);
const register = async ({ client }: Farm, more: object = {}) => {
  const input = { ServerId: server, Product: 'Granary', Version: '14.0.4762.1000', ...more };
  const answer = await client.callLoosely(registerProductVersion, input);
  assert.deepEqual([answer.status, answer.sets.length], [0, 0]);
};
const all = async ({ client }: Farm) => {
  const { status, sets } = await client.call(getProductVersions, {});
  assert.equal(status, 0);
  return sets[0]?.map((row) => ({ ...row, ServerId: guidOf(row['ServerId']) }));
};
const bare = {
  ServerId: server,
  Product: 'Granary',
  Version: '14.0.4762.1000',
  PatchableUnit: null,
  PatchableUnitName: null,
  PatchName: null,
  PatchUrl: null,
  Flags: 0,
  CustomData: null,
};

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 3.1.5.27: returns an empty result set of nine columns when nothing is registered', () =>
    withFarm(async (farm) => {
      const { status, columns, sets } = await farm.client.call(getProductVersions, {});
      assert.deepEqual([status, columns, sets], [0, [Object.keys(bare)], [[]]]);
    }));

  test('MS-WSSCFGD2 3.1.5.58: saves a record with what was left out as NULL, and no flags as 0', () =>
    withFarm(async (farm) => {
      await register(farm);
      assert.deepEqual(await all(farm), [bare]);
    }));

  test('MS-WSSCFGD2 3.1.5.58: saves all of a record but CustomData, which is ignored', () =>
    withFarm(async (farm) => {
      const full = {
        PatchableUnit: '{90140000-0000}',
        PatchableUnitName: 'Unit',
        PatchName: 'Hotfix Ä',
        PatchUrl: 'https://example.com/kb',
        Flags: 7,
      };
      await register(farm, { ...full, CustomData: 'x' });
      assert.deepEqual(await all(farm), [{ ...bare, ...full }]);
    }));

  test('MS-WSSCFGD2 3.1.5.58: flags and versions of other forms are kept as they were given', () =>
    withFarm(async (farm) => {
      await register(farm, { Flags: -8, Version: 'beta' });
      assert.deepEqual(await all(farm), [{ ...bare, Flags: -8, Version: 'beta' }]);
    }));

  test('MS-WSSCFGD2 3.1.5.58: the same installation again replaces its record', () =>
    withFarm(async (farm) => {
      const first = { Version: '14.0 beta', PatchableUnit: 'unit', PatchName: 'patch' };
      await register(farm, { ...first, Flags: 1, PatchUrl: 'https://example.com/1' });
      const again = {
        Product: 'GRANARY',
        Version: '14.0 BETA',
        PatchableUnit: 'UNIT',
        PatchableUnitName: 'Unit',
        PatchName: 'PATCH',
        PatchUrl: 'https://example.com/2',
        Flags: 4,
      };
      await register(farm, again);
      assert.deepEqual(await all(farm), [{ ...bare, ...again }], 'as it was given last');
      await register(farm, first);
      assert.deepEqual(await all(farm), [{ ...bare, ...first }], 'and what was not given last is gone');
      await farm.client.call(clearProductVersions, { ServerId: server });
      await register(farm);
      await register(farm, { PatchName: 'one' });
      await register(farm, { PatchName: '' });
      await register(farm, { PatchableUnit: 'one' });
      await register(farm, { Version: '15.0' });
      await register(farm, { ServerId: guid('a', 2) });
      assert.equal((await all(farm))?.length, 6, 'what identifies a record makes another one');
    }));

  test('MS-WSSCFGD2 3.1.5.4: clears the records of one server; NULL is no wildcard', () =>
    withFarm(async (farm) => {
      await register(farm);
      await register(farm, { Product: 'Other' });
      await register(farm, { ServerId: guid('a', 2) });
      assert.equal((await farm.client.call(clearProductVersions, { ServerId: null })).status, 0);
      assert.equal((await all(farm))?.length, 3);
      assert.equal((await farm.client.call(clearProductVersions, { ServerId: server })).status, 0);
      assert.deepEqual(await all(farm), [{ ...bare, ServerId: guid('a', 2) }]);
      assert.equal((await farm.client.call(clearProductVersions, { ServerId: server })).status, 0);
    }));

  test('MS-WSSCFGD2 3.1.5.58: NULL as server, product or version is error 515 and stores nothing', () =>
    withFarm(async (farm) => {
      for (const missing of ['ServerId', 'Product', 'Version']) {
        await assert.rejects(register(farm, { [missing]: null }), { number: 515 });
      }
      assert.deepEqual(await all(farm), []);
    }));

  test('MS-WSSCFGD2 3.1.5.58: text longer than its parameter is cut to it', () =>
    withFarm(async (farm) => {
      const most = {
        Product: 1023,
        Version: 64,
        PatchableUnit: 1023,
        PatchableUnitName: 1023,
        PatchName: 1023,
        PatchUrl: 260,
      };
      const longest = Object.fromEntries(Object.entries(most).map(([name, length]) => [name, '€'.repeat(length)]));
      await register(farm, Object.fromEntries(Object.entries(longest).map(([name, text]) => [name, `${text}€x`])));
      assert.deepEqual(await all(farm), [{ ...bare, ...longest }]);
    }));

  test('MS-WSSCFGD2 3.1.5.4, 3.1.5.27, 3.1.5.58: the product version procedures have no @RequestGuid', () =>
    withFarm(async (farm) => {
      const request = { name: 'RequestGuid', type: TYPES.UniqueIdentifier, value: guid('abc') };
      const cleared = { name: 'ServerId', type: TYPES.UniqueIdentifier, value: server };
      const named = { name: 'Product', type: TYPES.NVarChar, value: 'Granary' };
      await assert.rejects(farm.client.rpc('proc_ClearProductVersions', [cleared, request]), { number: 8145 });
      await assert.rejects(farm.client.rpc('proc_RegisterProductVersion', [named, request]), { number: 8145 });
      await assert.rejects(farm.client.rpc('proc_GetProductVersions', [request]), { number: 8146 });
    }));
});
