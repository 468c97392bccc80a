import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TYPES } from 'tedious';
import { dropEmailEnabledList } from '../../../../src/protocols/config/email/drop-email-enabled-list.ts';
import { dropEmailEnabledListByAlias } from '../../../../src/protocols/config/email/drop-email-enabled-list-by-alias.ts';
import { dropEmailEnabledListsByWeb } from '../../../../src/protocols/config/email/drop-email-enabled-lists-by-web.ts';
import { getDeletedEmailAliases } from '../../../../src/protocols/config/email/get-deleted-email-aliases.ts';
import { getEmailEnabledListByAlias } from '../../../../src/protocols/config/email/get-email-enabled-list-by-alias.ts';
import { markForDeletionEmailEnabledList } from '../../../../src/protocols/config/email/mark-for-deletion-email-enabled-list.ts';
import { markForDeletionEmailEnabledListsBySite } from '../../../../src/protocols/config/email/mark-for-deletion-email-enabled-lists-by-site.ts';
import { markForDeletionEmailEnabledListsByWeb } from '../../../../src/protocols/config/email/mark-for-deletion-email-enabled-lists-by-web.ts';
import { putDistributionListToDelete } from '../../../../src/protocols/config/email/put-distribution-list-to-delete.ts';
import { putEmailEnabledList } from '../../../../src/protocols/config/email/put-email-enabled-list.ts';
import { emptyGuid, type Farm, guid, guidOf } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

/**
 * A list: the digits of its number name its site collection, its site and itself. A restored copy of a site collection
 * has sites and lists of the same identifiers, so each digit counts.
 */
const list = (number: number) => ({
  SiteId: guid('51', Math.floor(number / 100)),
  WebId: guid('52', Math.floor(number / 10) % 10),
  ListId: guid('53', number % 10),
});
const put = async ({ client }: Farm, alias: string, number: number) =>
  (await client.call(putEmailEnabledList, { Alias: alias, ...list(number) })).status;
const find = async ({ client }: Farm, alias: string | null) => {
  const { status, sets } = await client.call(getEmailEnabledListByAlias, { Alias: alias });
  assert.equal(status, 0);
  assert.equal(sets.length, 1);
  const row = sets[0]?.[0];
  return row && Object.fromEntries(Object.entries(row).map(([name, value]) => [name, guidOf(value)]));
};
const deleted = async ({ client }: Farm) => {
  const { sets } = await client.call(getDeletedEmailAliases, {});
  return Object.fromEntries((sets[0] ?? []).map((row) => [String(row['Alias']), guidOf(row['ListId'])]));
};

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 3.1.5.52: gives a list an alias, and another alias later', () =>
    withFarm(async (farm) => {
      assert.equal(await put(farm, 'News', 111), 0);
      assert.deepEqual(await find(farm, 'news'), list(111));
      assert.equal(await put(farm, 'press', 111), 0);
      assert.deepEqual(await find(farm, 'PRESS '), list(111));
      assert.equal(await find(farm, 'news'), undefined, 'the old alias is free');
      assert.equal(await put(farm, 'news', 112), 0);
    }));

  test('MS-WSSCFGD2 3.1.5.52: returns 1 for an alias in use, in any case and whether marked or not, and changes nothing', () =>
    withFarm(async (farm) => {
      await put(farm, 'news', 111);
      await put(farm, 'press', 112);
      await farm.client.call(putDistributionListToDelete, { Alias: 'staff' });
      for (const other of [112, 121, 211]) assert.equal(await put(farm, 'NEWS', other), 1, String(other));
      assert.equal(await put(farm, 'staff', 112), 1);
      await farm.client.call(markForDeletionEmailEnabledList, list(111));
      assert.equal(await put(farm, 'news', 112), 1);
      assert.deepEqual(await find(farm, 'press'), list(112));
      assert.deepEqual(await deleted(farm), { news: list(111).ListId, staff: emptyGuid });
    }));

  test('MS-WSSCFGD2 3.1.5.52: the same alias again is 0, and so is its other spelling', () =>
    withFarm(async (farm) => {
      await put(farm, 'news', 111);
      assert.equal(await put(farm, 'news', 111), 0);
      assert.equal(await put(farm, 'News', 111), 0);
      assert.deepEqual(await find(farm, 'news'), list(111));
    }));

  test('MS-WSSCFGD2 3.1.5.52: a list takes its own marked alias back', () =>
    withFarm(async (farm) => {
      await put(farm, 'news', 111);
      await farm.client.call(markForDeletionEmailEnabledList, list(111));
      assert.equal(await put(farm, 'press', 111), 0, 'another alias beside the marked one');
      assert.deepEqual(await deleted(farm), { news: list(111).ListId });
      assert.equal(await put(farm, 'NEWS', 111), 0);
      assert.deepEqual(await deleted(farm), {});
      assert.deepEqual(await find(farm, 'news'), list(111));
      assert.equal(await find(farm, 'press'), undefined, 'a list has one alias in use');
      await farm.client.call(markForDeletionEmailEnabledList, list(111));
      assert.deepEqual(await deleted(farm), { NEWS: list(111).ListId }, 'as it was given last');
    }));

  test('MS-WSSCFGD2 3.1.5.52: NULL for any argument is error 515 and stores nothing', () =>
    withFarm(async (farm) => {
      for (const missing of ['Alias', 'SiteId', 'WebId', 'ListId']) {
        const input = { Alias: 'news', ...list(111), [missing]: null };
        await assert.rejects(farm.client.callLoosely(putEmailEnabledList, input), { number: 515 });
      }
      assert.equal(await find(farm, 'news'), undefined);
    }));

  test('MS-WSSCFGD2 2.2.6.2: the empty GUIDs of a distribution list are refused for a list, and nothing is stored', () =>
    withFarm(async (farm) => {
      const input = { Alias: 'news', SiteId: emptyGuid, WebId: emptyGuid, ListId: emptyGuid };
      await assert.rejects(farm.client.call(putEmailEnabledList, input), { number: 50000 });
      assert.equal(await put(farm, 'news', 111), 0);
    }));

  test('MS-WSSCFGD2 2.2.6.2: an alias of more than 128 characters is cut to them', () =>
    withFarm(async (farm) => {
      await farm.client.call(putDistributionListToDelete, { Alias: 'a'.repeat(129) });
      assert.deepEqual(Object.keys(await deleted(farm)), ['a'.repeat(128)]);
      assert.equal(await put(farm, 'b'.repeat(129), 111), 0);
    }));

  test('MS-WSSCFGD2 3.1.5.15: drops the alias of a list unless it is marked', () =>
    withFarm(async (farm) => {
      await put(farm, 'news', 111);
      await put(farm, 'press', 112);
      for (const number of [121, 211]) await put(farm, `a${number}`, number);
      await farm.client.call(markForDeletionEmailEnabledList, list(112));
      for (const number of [111, 112, 119])
        assert.equal((await farm.client.call(dropEmailEnabledList, list(number))).status, 0);
      assert.equal((await farm.client.call(dropEmailEnabledList, { ...list(111), SiteId: null })).status, 0);
      assert.equal(await find(farm, 'news'), undefined);
      for (const number of [121, 211]) assert.deepEqual(await find(farm, `a${number}`), list(number));
      assert.deepEqual(await deleted(farm), { press: list(112).ListId });
    }));

  test('MS-WSSCFGD2 3.1.5.16: drops an alias, marked or not, of a list or a distribution list, and frees it', () =>
    withFarm(async (farm) => {
      await put(farm, 'news', 111);
      await put(farm, 'press', 112);
      await put(farm, 'stays', 113);
      await farm.client.call(markForDeletionEmailEnabledList, list(112));
      await farm.client.call(putDistributionListToDelete, { Alias: 'staff' });
      for (const alias of ['NEWS', 'press', 'staff', 'unknown', null]) {
        const answer = await farm.client.call(dropEmailEnabledListByAlias, { Alias: alias });
        assert.deepEqual([answer.status, answer.sets.length], [0, 0]);
      }
      assert.deepEqual(await deleted(farm), {});
      assert.equal(await find(farm, 'news'), undefined);
      assert.deepEqual(await find(farm, 'stays'), list(113));
      assert.equal(await put(farm, 'press', 119), 0);
    }));

  test('MS-WSSCFGD2 3.1.5.17: drops the unmarked aliases of one site', () =>
    withFarm(async (farm) => {
      for (const number of [111, 112, 113, 121, 211]) await put(farm, `a${number}`, number);
      await farm.client.call(markForDeletionEmailEnabledList, list(113));
      const { SiteId, WebId } = list(111);
      assert.equal((await farm.client.call(dropEmailEnabledListsByWeb, { SiteId, WebId })).status, 0);
      for (const gone of ['a111', 'a112']) assert.equal(await find(farm, gone), undefined);
      for (const number of [121, 211]) assert.deepEqual(await find(farm, `a${number}`), list(number));
      assert.deepEqual(await deleted(farm), { a113: list(113).ListId });
    }));

  test('MS-WSSCFGD2 3.1.5.46: marks the alias of one list, once and again', () =>
    withFarm(async (farm) => {
      for (const number of [111, 112, 121, 211]) await put(farm, `a${number}`, number);
      for (const number of [111, 111, 119]) {
        const answer = await farm.client.call(markForDeletionEmailEnabledList, list(number));
        assert.deepEqual([answer.status, answer.sets.length], [0, 0]);
      }
      assert.equal(await find(farm, 'a111'), undefined);
      assert.deepEqual(await deleted(farm), { a111: list(111).ListId });
      for (const number of [112, 121, 211]) assert.deepEqual(await find(farm, `a${number}`), list(number));
    }));

  test('MS-WSSCFGD2 3.1.5.47: marks the aliases of a site collection', () =>
    withFarm(async (farm) => {
      for (const number of [111, 121, 211]) await put(farm, `a${number}`, number);
      const mark = (site: string | null) => farm.client.call(markForDeletionEmailEnabledListsBySite, { SiteId: site });
      assert.equal((await mark(list(111).SiteId)).status, 0);
      assert.equal((await mark(null)).status, 0);
      assert.deepEqual(Object.keys(await deleted(farm)), ['a111', 'a121']);
      assert.deepEqual(await find(farm, 'a211'), list(211));
    }));

  test('MS-WSSCFGD2 3.1.5.48: marks the aliases of a site, under either name of the procedure', () =>
    withFarm(async (farm) => {
      for (const number of [111, 112, 121, 211]) await put(farm, `a${number}`, number);
      const { SiteId, WebId } = list(111);
      assert.equal((await farm.client.call(markForDeletionEmailEnabledListsByWeb, { SiteId, WebId })).status, 0);
      assert.deepEqual(Object.keys(await deleted(farm)), ['a111', 'a112']);
      await farm.client.rpc('proc_markForDeletionEmailEnabledByWeb', [
        { name: 'SiteId', type: TYPES.UniqueIdentifier, value: list(121).SiteId },
        { name: 'WebId', type: TYPES.UniqueIdentifier, value: list(121).WebId },
      ]);
      assert.deepEqual(Object.keys(await deleted(farm)), ['a111', 'a112', 'a121']);
    }));

  test('MS-WSSCFGD2 3.1.5.51: records a distribution list as marked, and leaves an alias that is known alone', () =>
    withFarm(async (farm) => {
      await put(farm, 'news', 111);
      for (const alias of ['staff', 'STAFF', 'news']) {
        const answer = await farm.client.call(putDistributionListToDelete, { Alias: alias });
        assert.deepEqual([answer.status, answer.sets.length], [0, 0]);
      }
      assert.deepEqual(await deleted(farm), { staff: emptyGuid });
      assert.deepEqual(await find(farm, 'news'), list(111));
    }));

  test('MS-WSSCFGD2 3.1.5.51: NULL as alias is error 515 and stores nothing', () =>
    withFarm(async (farm) => {
      await assert.rejects(farm.client.call(putDistributionListToDelete, { Alias: null }), { number: 515 });
      assert.deepEqual(await deleted(farm), {});
    }));

  test('MS-WSSCFGD2 3.1.5.23: NULL and an unknown alias find no list', () =>
    withFarm(async (farm) => {
      await put(farm, 'news', 111);
      assert.equal(await find(farm, null), undefined);
      assert.equal(await find(farm, 'unknown'), undefined);
    }));
});
