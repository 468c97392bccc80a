import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../../../../src/protocols/search/kinds/search.ts';
import { addAndReturnCrawledProperty } from '../../../../src/protocols/search/schema/add-and-return-crawled-property.ts';
import { addCrawledPropertyCategoryWithDefaults } from '../../../../src/protocols/search/schema/add-crawled-property-category-with-defaults.ts';
import { getSchemaHighLevelInfo } from '../../../../src/protocols/search/schema/get-schema-high-level-info.ts';
import { managedProperty } from '../../../../src/protocols/search/schema/managed-property.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachSearch } from '../with-search.ts';

const propset = '0a0b0c0d-0000-0000-0000-000000000001';
const text = 31;

const add = async (client: TestClient, more: object = {}) => {
  const answer = await client.callLoosely(addAndReturnCrawledProperty, {
    Propset: propset,
    PropertyName: 'Colour',
    PropertyNameIsEnum: false,
    VariantType: text,
    FriendlyName: 'Colour',
    ManagedType: 1,
    FullTextQueriable: false,
    Retrievable: false,
    Scoped: false,
    MaxIndexedStringLength: 64,
    MaxNonIndexedStringLength: 2000,
    ManagedPropDecimalPlaces: 3,
    ...more,
  });
  assert.equal(answer.status, 0);
  assert.deepEqual(answer.columns, [Object.keys(managedProperty)]);
  return { ...answer.output, rows: answer.sets[0] } as Record<string, unknown> & { rows: Record<string, unknown>[] };
};
const addCategory = async (client: TestClient, Propset: string | null = propset) => {
  const { status, sets, output } = await client.callLoosely(addCrawledPropertyCategoryWithDefaults, { Propset });
  assert.deepEqual([status, sets], [0, []]);
  return output;
};
const times = async (client: TestClient) => (await client.call(getSchemaHighLevelInfo, {})).sets[0]?.[0] ?? {};
const count = async (client: TestClient) =>
  (
    await client.batch(`
      select count(*) as n from CrawledProperties
      union all select count(*) from ManagedProperties
      union all select count(*) from SchemaMappings`)
  ).sets[0]?.map((row) => row['n']);

forEachSearch(search, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.1: a new crawled property is added alone when its data is to be kept nowhere', () =>
    withSearch(async ({ client }) => {
      const { rows, ...output } = await add(client);
      assert.deepEqual(rows, []);
      assert.deepEqual(output, {
        crawledPropId: 11,
        pid: -1,
        MappingOrder: null,
        IsMappedToContent: false,
        IsSampleCacheFull: false,
        crawledPropExists: false,
        managedPropExists: false,
      });
      const again = await add(client, { PropertyName: 'COLOUR' });
      assert.deepEqual([again['crawledPropId'], again['crawledPropExists']], [11, true]);
      assert.deepEqual(await count(client), [11, 19, 10]);
    }));

  for (const flag of ['FullTextQueriable', 'Retrievable', 'Scoped']) {
    test(`MS-SQLPGAT2 3.1.5.1: with @${flag} = 1 a managed property and a mapping are added, once`, () =>
      withSearch(async ({ client, clock }) => {
        const { rows, ...output } = await add(client, { [flag]: true });
        assert.deepEqual(
          [output['crawledPropId'], output['pid'], output['MappingOrder'], output['managedPropExists']],
          [11, 396, 1, false],
        );
        const [row] = rows;
        assert.equal(rows.length, 1);
        const { PID, FriendlyName, ManagedType, MaxIndexedStringLength, MaxNonIndexedStringLength } = row ?? {};
        assert.deepEqual([PID, FriendlyName, ManagedType], [396, 'Colour', 1]);
        assert.deepEqual([MaxIndexedStringLength, MaxNonIndexedStringLength, row?.['DecimalPlaces']], [64, 2000, 3]);
        const flags = ['FullTextQueriable', 'Retrievable', 'Scoped'].map((name) => [name, row?.[name]]);
        assert.deepEqual(Object.fromEntries(flags), {
          FullTextQueriable: false,
          Retrievable: false,
          Scoped: false,
          [flag]: true,
        });
        assert.deepEqual(row?.['LastModified'], clock.now());
        const again = await add(client, { [flag]: true, ManagedType: 2 });
        assert.deepEqual(
          [again['pid'], again['MappingOrder'], again['crawledPropExists'], again['managedPropExists']],
          [396, 1, true, true],
        );
        assert.equal(again.rows[0]?.['ManagedType'], 1, 'it is not changed');
        assert.deepEqual(await count(client), [11, 20, 11]);
      }));
  }

  test('MS-SQLPGAT2 3.1.5.1: a crawled property is mapped to a managed property that is there, behind the others', () =>
    withSearch(async ({ client }) => {
      const output = await add(client, { FriendlyName: 'TITLE', Retrievable: true });
      assert.deepEqual(
        [output['pid'], output['MappingOrder'], output['managedPropExists'], output.rows[0]?.['FriendlyName']],
        [2, 2, true, 'Title'],
      );
      const mapped = await add(client, { FriendlyName: 'Whatever' });
      assert.deepEqual(
        [mapped['pid'], mapped['MappingOrder'], mapped['managedPropExists'], mapped.rows.length],
        [2, 2, true, 1],
        'asked without flags it returns what the property is mapped to',
      );
      assert.deepEqual(await count(client), [11, 19, 11]);
    }));

  test('MS-SQLPGAT2 3.1.5.1: name, property set and variant type together tell crawled properties apart', () =>
    withSearch(async ({ client }) => {
      const ids = new Set<unknown>();
      for (const more of [
        {},
        { VariantType: 20 },
        { PropertyName: 'Size' },
        { Propset: propset.replace('0a', '0b') },
      ]) {
        ids.add((await add(client, more))['crawledPropId']);
      }
      assert.equal(ids.size, 4);
    }));

  test('MS-SQLPGAT2 3.1.5.1: text goes to the contents when the category of its property set says so', () =>
    withSearch(async ({ client }) => {
      await addCategory(client);
      assert.equal((await add(client))['IsMappedToContent'], true);
      assert.equal((await add(client, { PropertyName: 'Number', VariantType: 20 }))['IsMappedToContent'], false);
      assert.equal((await add(client))['IsMappedToContent'], true, 'and is told so later');
    }));

  test('MS-SQLPGAT2 3.1.5.1: what has no name or no type is refused and adds nothing', () =>
    withSearch(async ({ client }) => {
      const before = await count(client);
      for (const missing of ['Propset', 'PropertyName', 'VariantType']) {
        await assert.rejects(add(client, { [missing]: null }), { number: 515 });
      }
      await assert.rejects(add(client, { FriendlyName: null, Scoped: true }), { number: 515 });
      for (const ManagedType of [null, 0, 7]) {
        await assert.rejects(add(client, { Scoped: true, ManagedType }), { number: 50000 });
      }
      assert.deepEqual(await count(client), before);
    }));

  test('MS-SQLPGAT2 3.1.5.2: a category is added with the default flags, and only once', () =>
    withSearch(async ({ client, clock }) => {
      const before = await times(client);
      clock.advance(1000);
      const output = await addCategory(client);
      assert.deepEqual(output, {
        CategoryName: propset,
        DiscoverNewProperties: true,
        MapToContents: true,
        FullTextQueriable: false,
        Retrievable: false,
      });
      const changed = await times(client);
      assert.deepEqual(changed, { ...before, LastCatChange: clock.now() });
      clock.advance(1000);
      assert.deepEqual(await addCategory(client), output);
      assert.deepEqual(await times(client), changed);
      await assert.rejects(addCategory(client, null), { number: 515 });
    }));

  test('MS-SQLPGAT2 3.1.5.53: the times of crawled and managed properties move when one is added', () =>
    withSearch(async ({ client, clock }) => {
      const before = await times(client);
      clock.advance(1000);
      await add(client);
      const crawled = { ...before, LastCPAddsBenignModified: clock.now() };
      assert.deepEqual(await times(client), crawled);
      clock.advance(1000);
      await add(client);
      assert.deepEqual(await times(client), crawled, 'nothing new');
      await add(client, { Scoped: true });
      assert.deepEqual(await times(client), {
        ...before,
        LastCPAddsBenignModified: clock.now(),
        LastManagedProp: clock.now(),
      });
    }));
});
