import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchAdmin } from '../../../../src/protocols/search/kinds/search-admin.ts';
import { addAndReturnCrawledProperty } from '../../../../src/protocols/search/schema/add-and-return-crawled-property.ts';
import { getCrawledPropMappingUpdates } from '../../../../src/protocols/search/schema/get-crawled-prop-mapping-updates.ts';
import { getCrawledProperties } from '../../../../src/protocols/search/schema/get-crawled-properties.ts';
import { getManagedProperties } from '../../../../src/protocols/search/schema/get-managed-properties.ts';
import { getMappingsForCrawledPropertiesById } from '../../../../src/protocols/search/schema/get-mappings-for-crawled-properties-by-id.ts';
import { getRankingModels } from '../../../../src/protocols/search/schema/get-ranking-models.ts';
import { getSampleExtremes } from '../../../../src/protocols/search/schema/get-sample-extremes.ts';
import { getSchemaHighLevelInfo } from '../../../../src/protocols/search/schema/get-schema-high-level-info.ts';
import { getSchemaMappings } from '../../../../src/protocols/search/schema/get-schema-mappings.ts';
import { getSchemaParameters } from '../../../../src/protocols/search/schema/get-schema-parameters.ts';
import { getStaticRankingFeatures } from '../../../../src/protocols/search/schema/get-static-ranking-features.ts';
import { setCrawledPropertyIsSampleCacheFull } from '../../../../src/protocols/search/schema/set-crawled-property-is-sample-cache-full.ts';
import type { TestClient } from '../../../support/client.ts';
import { guidOf } from '../../config/farm.ts';
import { forEachSearch } from '../with-search.ts';

const propset = (letter: string) => `${letter.repeat(8)}-0000-0000-0000-000000000001`;

/** Adds a crawled property with a managed property of the same name. */
const add = async (client: TestClient, name: string, more: object = {}) => {
  const { output } = await client.callLoosely(addAndReturnCrawledProperty, {
    Propset: propset('a'),
    PropertyName: name,
    PropertyNameIsEnum: false,
    VariantType: 31,
    FriendlyName: name,
    ManagedType: 1,
    FullTextQueriable: false,
    Retrievable: true,
    Scoped: false,
    MaxIndexedStringLength: 64,
    MaxNonIndexedStringLength: 2000,
    ManagedPropDecimalPlaces: 0,
    ...more,
  });
  return output;
};
const crawled = async (client: TestClient, more: object = {}) => {
  const { status, sets } = await client.callLoosely(getCrawledProperties, {
    OOBOnly: false,
    InterestingPropertiesOnly: true,
    UpDate: null,
    LimitRows: 0,
    Propset: null,
    PropertyName: null,
    ...more,
  });
  assert.equal(status, 0);
  return sets[0] ?? [];
};
const managed = async (client: TestClient, ldate: Date | null, GetAll: boolean) => {
  const { status, sets } = await client.call(getManagedProperties, { ldate, GetAll });
  assert.equal(status, 0);
  return sets[0] ?? [];
};
const long = new Date('2010-01-01T00:00:00.000Z');

forEachSearch(searchAdmin, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.40: lists managed properties changed since a time, internal ones when all are asked for', () =>
    withSearch(async ({ client, clock }) => {
      const all = await managed(client, null, true);
      assert.equal(all.length, 19);
      assert.equal(Object.keys(all[0] ?? {}).length, 39);
      const open = await managed(client, long, false);
      assert.deepEqual(
        open.map((row) => row['FriendlyName']),
        all.filter((row) => row['Hidden'] === false).map((row) => row['FriendlyName']),
      );
      assert.equal(open.length, 10);
      assert.deepEqual(await managed(client, clock.now(), true), []);
      await add(client, 'New');
      assert.deepEqual(
        (await managed(client, clock.now(), false)).map((row) => row['FriendlyName']),
        ['New'],
      );
      assert.deepEqual(await managed(client, new Date(clock.now().getTime() + 1000), true), []);
    }));

  test('MS-SQLPGAT2 3.1.5.40: the columns that clients ignore are 0, and those without a value NULL', () =>
    withSearch(async ({ client }) => {
      const title = (await managed(client, null, false)).find((row) => row['FriendlyName'] === 'Title');
      const { NoWordBreaker, WordBreakerOverride, ForceChangeSchemaVersion, DefaultForQIR } = title ?? {};
      assert.deepEqual([NoWordBreaker, WordBreakerOverride, ForceChangeSchemaVersion, DefaultForQIR], [false, 0, 0, 0]);
      assert.deepEqual([title?.['PropertyDescription'], title?.['SplitStringCharacters']], [null, null]);
      assert.deepEqual([title?.['PID'], title?.['ManagedType'], title?.['Retrievable']], [2, 1, true]);
      assert.deepEqual([title?.['Weight'], title?.['LastModified']], [1, long]);
    }));

  test('MS-SQLPGAT2 3.1.5.40.1: Retrievable and IsInDocProps tell alike whether the metadata index has the property', () =>
    withSearch(async ({ client }) => {
      await add(client, 'Kept', { Retrievable: true });
      await add(client, 'Searched', { Retrievable: false, FullTextQueriable: true });
      const all = await managed(client, null, true);
      const flags = (name: string) =>
        all.filter((row) => row['FriendlyName'] === name).map((row) => row['IsInDocProps']);
      assert.deepEqual([flags('Kept'), flags('Searched')], [[true], [false]]);
      for (const row of all) assert.equal(row['IsInDocProps'], row['Retrievable'], String(row['FriendlyName']));
      const times = all.filter((row) => row['PID'] === 321 || row['PID'] === 322);
      assert.deepEqual(
        times.map((row) => row['IsInDocProps']),
        [true, true],
        'proc_MSS_UpdatePropertyStore (3.1.5.90) puts them there',
      );
    }));

  test('MS-SQLPGAT2 3.1.5.23: without a time it goes through all of them page by page, in the order of identifiers', () =>
    withSearch(async ({ client }) => {
      for (const letter of ['b', 'a'])
        for (const name of ['x', 'Z', 'y']) await add(client, name, { Propset: propset(letter) });
      const all = await crawled(client);
      assert.equal(all.length, 16);
      assert.deepEqual(Object.keys(all[0] ?? {}), [
        'Propset',
        'PropertyName',
        'PropertyNameIsEnum',
        'IsMappedToContent',
        'IsSampleCacheFull',
        'VariantType',
        'CrawledPropertyId',
        'URI',
        'LastModified',
      ]);
      const paged: Record<string, unknown>[] = [];
      for (;;) {
        const last = paged.at(-1);
        const page = await crawled(client, {
          LimitRows: 3,
          Propset: last?.['Propset'] ?? null,
          PropertyName: last?.['PropertyName'] ?? null,
        });
        assert.ok(page.length <= 3);
        if (page.length === 0) break;
        paged.push(...page);
      }
      assert.deepEqual(paged, all);
      const own = all.filter((row) => /^[ab]{8}/i.test(String(row['Propset'])));
      assert.deepEqual(
        own.map((row) => [guidOf(row['Propset'])[0], row['PropertyName']]),
        [...'xyZ'].map((name) => ['a', name]).concat([...'xyZ'].map((name) => ['b', name])),
      );
    }));

  test('MS-SQLPGAT2 3.1.5.23: with a time it lists those that changed then or later, whatever the page', () =>
    withSearch(async ({ client, clock }) => {
      await add(client, 'First');
      clock.advance(5000);
      await add(client, 'Second');
      const since = async (UpDate: Date, more: object = {}) =>
        (await crawled(client, { UpDate, ...more })).map((row) => row['PropertyName']);
      assert.deepEqual(await since(clock.now()), ['Second']);
      assert.deepEqual(await since(clock.now(), { Propset: propset('f'), PropertyName: 'Z' }), ['Second']);
      assert.equal((await since(long)).length, 12);
      assert.deepEqual(await since(new Date('2020-01-01'), { LimitRows: 1 }), ['First']);
    }));

  test('MS-SQLPGAT2 3.1.5.23: @OOBOnly = 1 leaves out what was added later; @LimitRows must be given', () =>
    withSearch(async ({ client }) => {
      await add(client, 'Later');
      assert.equal((await crawled(client)).length, 11);
      assert.equal((await crawled(client, { OOBOnly: true })).length, 10);
      await assert.rejects(crawled(client, { LimitRows: null }), { number: 515 });
    }));

  test('MS-SQLPGAT2 3.1.5.54, 3.1.5.24, 3.1.5.41: mappings are listed all, since a time, and of one crawled property', () =>
    withSearch(async ({ client, clock }) => {
      const { crawledPropId } = await add(client, 'Headline', { FriendlyName: 'Title' });
      const { sets, columns } = await client.call(getSchemaMappings, {});
      assert.deepEqual(columns, [['pid', 'MappingOrder', 'CrawledPropertyId']]);
      assert.equal(sets[0]?.length, 11);
      const since = async (UpDate: Date | null) =>
        (await client.call(getCrawledPropMappingUpdates, { UpDate })).sets[0];
      assert.deepEqual(await since(clock.now()), [{ pid: 2, mappingorder: 2, crawledPropertyid: crawledPropId }]);
      assert.equal((await since(long))?.length, 11);
      assert.equal((await since(null))?.length, 11);
      const of = async (id: unknown) =>
        (await client.callLoosely(getMappingsForCrawledPropertiesById, { crawledPropertyId: id })).sets[0];
      assert.deepEqual(await of(crawledPropId), [{ PID: 2, mappingorder: 2 }]);
      assert.deepEqual(await of(999), []);
      assert.deepEqual(await of(null), []);
    }));

  test('MS-SQLPGAT2 3.1.5.55: a parameter has its value in the column that IsString tells', () =>
    withSearch(async ({ client }) => {
      const { sets } = await client.call(getSchemaParameters, {});
      assert.deepEqual(sets[0], [
        { ParamName: 'k1', IsString: false, strValue: null, fltValue: 5 },
        { ParamName: 'SchemaName', IsString: true, strValue: 'Default', fltValue: null },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.53: one row of twelve columns', () =>
    withSearch(async ({ client }) => {
      const { sets } = await client.call(getSchemaHighLevelInfo, {});
      assert.equal(sets[0]?.length, 1);
      const row = sets[0]?.[0] ?? {};
      assert.equal(Object.keys(row).length, 12);
      const meant = ['LastCatChange', 'LastCPDelete', 'LastCPAddsBenignModified', 'LastManagedProp', 'LastGlobalProps'];
      for (const name of [...meant, 'LastManagedPropDeleted']) assert.deepEqual(row[name], long);
    }));

  test('MS-SQLPGAT2 3.1.5.52: lists crawled properties with more samples than the one limit or fewer than the other', () =>
    withSearch(async ({ client, database }) => {
      await database.write((db) =>
        db.insert(
          'crawled_property_samples',
          ['crawled_property_id', 'sample_count'],
          [
            [1, 0],
            [2, 5],
            [3, 10],
            [4, 11],
          ],
        ),
      );
      const extremes = async (cHighLimit: number | null, cLowLimit: number | null) =>
        (await client.call(getSampleExtremes, { cHighLimit, cLowLimit })).sets[0]?.map((row) => Object.values(row));
      assert.deepEqual(await extremes(10, 5), [
        [1, 0],
        [4, 11],
      ]);
      assert.deepEqual(await extremes(100, 0), []);
      assert.deepEqual(await extremes(null, 1), [[1, 0]]);
    }));

  test('MS-SQLPGAT2 3.1.5.78: sets the flag that enough samples were taken, without moving a time', () =>
    withSearch(async ({ client }) => {
      const set = (CrawledPropId: number, IsSampleCacheFull: boolean | null, UseDateTrigger = false) =>
        client.callLoosely(setCrawledPropertyIsSampleCacheFull, { CrawledPropId, IsSampleCacheFull, UseDateTrigger });
      const full = async () =>
        (await crawled(client)).filter((row) => row['IsSampleCacheFull']).map((row) => row['CrawledPropertyId']);
      const { status, sets } = await set(3, true);
      assert.deepEqual([status, sets], [0, []]);
      assert.deepEqual(await full(), [3]);
      assert.equal((await crawled(client, { UpDate: new Date('2020-01-01') })).length, 0);
      assert.equal((await set(999, true)).status, 0);
      await set(3, false);
      assert.deepEqual(await full(), []);
      await assert.rejects(set(3, true, true), { number: 50000 });
      await assert.rejects(set(3, null), { number: 515 });
      assert.deepEqual(await full(), []);
    }));

  test('MS-SQLPGAT2 3.1.5.51, 3.1.5.59: ranking models and static ranking features are empty result sets', () =>
    withSearch(async ({ client }) => {
      for (const procedure of [getRankingModels, getStaticRankingFeatures]) {
        const { status, sets } = await client.callLoosely(procedure, {});
        assert.deepEqual([status, sets], [0, [[]]]);
      }
    }));
});
