import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TYPES } from 'tedious';
import { searchAdmin } from '../../../../src/protocols/search/kinds/search-admin.ts';
import { deleteConfigurationProperties } from '../../../../src/protocols/search/settings/delete-configuration-properties.ts';
import { deleteConfigurationProperty } from '../../../../src/protocols/search/settings/delete-configuration-property.ts';
import { getConfigurationProperties } from '../../../../src/protocols/search/settings/get-configuration-properties.ts';
import { getConfigurationProperty } from '../../../../src/protocols/search/settings/get-configuration-property.ts';
import { getCurrentRegistryVersion } from '../../../../src/protocols/search/settings/get-current-registry-version.ts';
import { setConfigurationProperty } from '../../../../src/protocols/search/settings/set-configuration-property.ts';
import type { RpcParameter, TestClient } from '../../../support/client.ts';
import { forEachSearch } from '../with-search.ts';

type TediousType = RpcParameter['type'];

const set = async (client: TestClient, name: string | null, value: unknown, type: TediousType = TYPES.NVarChar) => {
  const answer = await client.rpc(setConfigurationProperty.name, [
    { name: 'Name', type: TYPES.NVarChar, value: name },
    { name: 'Value', type, value },
  ]);
  assert.deepEqual([answer.status, answer.sets], [0, []]);
};
const get = async (client: TestClient, name: string | null) => {
  const answer = await client.call(getConfigurationProperty, { Name: name });
  assert.deepEqual([answer.status, answer.sets], [0, []]);
  return answer.output['Value'];
};
const names = async (client: TestClient, pattern: string | null) => {
  const { status, sets } = await client.call(getConfigurationProperties, { Pattern: pattern });
  assert.equal(status, 0);
  return sets[0]?.map((row) => row['Name']);
};
const remove = async (client: TestClient, pattern: string | null, keep: string | null = null) => {
  const answer = await client.call(deleteConfigurationProperties, { Pattern: pattern, PropertiesToKeep: keep });
  assert.deepEqual([answer.status, answer.sets], [0, []]);
};
const version = async (client: TestClient, key: string | null) => {
  const { status, output } = await client.call(getCurrentRegistryVersion, { LikeKey: key });
  return [status, output['CurrentRegistryVersion']];
};

forEachSearch(searchAdmin, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.76: a property is added, and then overwritten', () =>
    withSearch(async ({ client }) => {
      assert.equal(await get(client, 'Colour'), null);
      await set(client, 'Colour', 'red');
      assert.equal(await get(client, 'colour'), 'red');
      await set(client, 'COLOUR', 'blue');
      assert.equal(await get(client, 'Colour'), 'blue');
      assert.deepEqual(await names(client, '%'), ['Colour']);
    }));

  const kept: readonly [string, TediousType, unknown][] = [
    ['int', TYPES.Int, 42],
    ['bigint', TYPES.BigInt, 9007199254740993n],
    ['bit', TYPES.Bit, true],
    ['float', TYPES.Float, 1.5],
    ['nvarchar', TYPES.NVarChar, 'schön €'],
    ['varbinary', TYPES.VarBinary, Buffer.from([1, 0, 255])],
    ['datetime', TYPES.DateTime, new Date('2024-02-29T12:00:00.000Z')],
    ['uniqueidentifier', TYPES.UniqueIdentifier, '0A0B0C0D-0000-0000-0000-00000000000E'],
  ];
  for (const [type, tediousType, value] of kept) {
    test(`MS-SQLPGAT2 3.1.5.21, 3.1.5.76: a value of type ${type} comes back with its base type`, () =>
      withSearch(async ({ client }) => {
        await set(client, 'Value', value, tediousType);
        const { sets } = await client.batch(`
          declare @v sql_variant
          exec proc_MSS_GetConfigurationProperty N'Value', @v output
          select @v as v, cast(sql_variant_property(@v, 'BaseType') as nvarchar(128)) as t`);
        const row = sets[0]?.[0];
        assert.equal(row?.['t'], type);
        assert.deepEqual(typeof value === 'bigint' ? BigInt(String(row?.['v'])) : row?.['v'], value);
        const { sets: listed } = await client.call(getConfigurationProperties, { Pattern: 'Value' });
        assert.deepEqual(Object.keys(listed[0]?.[0] ?? {}), ['Name', 'Value']);
        assert.deepEqual(listed[0]?.[0]?.['Value'], row?.['v']);
      }));
  }

  test('MS-SQLPGAT2 3.1.5.76: NULL is kept as a value and read as NULL; a name that is NULL is refused', () =>
    withSearch(async ({ client }) => {
      await set(client, 'Nothing', null);
      assert.equal(await get(client, 'Nothing'), null);
      assert.deepEqual(await names(client, '%'), ['Nothing']);
      await assert.rejects(set(client, null, 'x'), { number: 515 });
      assert.deepEqual(await names(client, '%'), ['Nothing']);
      await set(client, 'x'.repeat(301), 'x');
      assert.deepEqual(await names(client, '%'), ['Nothing', 'x'.repeat(300)]);
    }));

  test('MS-SQLPGAT2 3.1.5.13: a property is deleted by name; one that is not there is no fault', () =>
    withSearch(async ({ client }) => {
      await set(client, 'One', 1, TYPES.Int);
      await set(client, 'Two', 2, TYPES.Int);
      for (const Name of ['one', 'One', null]) {
        const answer = await client.call(deleteConfigurationProperty, { Name });
        assert.deepEqual([answer.status, answer.sets], [0, []]);
      }
      assert.deepEqual(await names(client, '%'), ['Two']);
    }));

  test('MS-SQLPGAT2 3.1.5.20: % stands for any text at the beginning, at the end or at both, and nothing else does', () =>
    withSearch(async ({ client }) => {
      for (const name of ['a_b', 'aXb', 'a[1]', 'xa_bx', 'A_B end', 'a!c']) await set(client, name, 1, TYPES.Int);
      assert.deepEqual(await names(client, 'a_b'), ['a_b']);
      assert.deepEqual(await names(client, 'a_b%'), ['a_b', 'A_B end']);
      assert.deepEqual(await names(client, '%a_b'), ['a_b']);
      assert.deepEqual(await names(client, '%a_b%'), ['a_b', 'A_B end', 'xa_bx']);
      assert.deepEqual(await names(client, 'A[1]'), ['a[1]']);
      assert.deepEqual(await names(client, 'a!%'), ['a!c']);
      assert.deepEqual(await names(client, 'a_b %'), ['A_B end']);
      assert.equal((await names(client, '%'))?.length, 6);
      assert.equal((await names(client, '%%'))?.length, 6);
      assert.deepEqual(await names(client, ''), []);
      assert.deepEqual(await names(client, null), []);
    }));

  test('MS-SQLPGAT2 3.1.5.12, 3.1.5.20: a wildcard in the middle of a pattern is an error and deletes nothing', () =>
    withSearch(async ({ client }) => {
      await set(client, 'axb', 1, TYPES.Int);
      for (const pattern of ['a%b', '%a%b', 'a%b%', '%%a%%']) {
        await assert.rejects(names(client, pattern), { number: 50000 });
        await assert.rejects(remove(client, pattern), { number: 50000 });
      }
      assert.deepEqual(await names(client, '%'), ['axb']);
    }));

  test('MS-SQLPGAT2 3.1.5.12: deletes what matches but for the names between commas', () =>
    withSearch(async ({ client }) => {
      const guid = '6e8ac2b1-0000-0000-0000-000000000001';
      for (const name of ['one', 'two', 'three']) await set(client, `${guid}\\${name}`, 1, TYPES.Int);
      await set(client, 'other', 1, TYPES.Int);
      await remove(client, `${guid}%`, `,${guid}\\ONE,${guid}\\thre,`);
      assert.deepEqual(await names(client, '%'), [`${guid}\\one`, 'other']);
      await remove(client, null);
      await remove(client, '%one');
      assert.deepEqual(await names(client, '%'), ['other']);
    }));

  test('MS-SQLPGAT2 3.1.5.26: returns 0 with the version of a component, 1 where it has stored none', () =>
    withSearch(async ({ client }) => {
      const component = '6e8ac2b1-0000-0000-0000-000000000001-crawl-0';
      assert.equal((await version(client, `${component}\\CurrentRegistryVersion`))[0], 1);
      await set(client, `${component}\\CurrentRegistryVersion`, 7, TYPES.Int);
      await set(client, 'x\\CurrentRegistryVersion', 'no number');
      await set(client, 'y\\CurrentRegistryVersion', '12');
      assert.deepEqual(await version(client, `${component}\\CurrentRegistryVersion`), [0, 7]);
      assert.deepEqual(await version(client, component), [0, 7]);
      assert.deepEqual(await version(client, `${component}%`), [0, 7]);
      assert.deepEqual(await version(client, 'Y\\CurrentRegistryVersion'), [0, 12]);
      assert.equal((await version(client, 'x\\CurrentRegistryVersion'))[0], 1);
      assert.equal((await version(client, null))[0], 1);
      await set(client, component, 14, TYPES.Int);
      await set(client, `${component}\\A`, 15, TYPES.Int);
      for (const key of [component, `${component}%`]) {
        assert.deepEqual(await version(client, key), [0, 7], 'what else the component has stored is no version of it');
      }
    }));
});
