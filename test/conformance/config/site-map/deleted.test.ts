import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../src/base/clock.ts';
import type { CallInput } from '../../../../src/procedure/declare.ts';
import { getDeletedSite } from '../../../../src/protocols/config/site-map/get-deleted-site.ts';
import { getDeletedSitesByQuery } from '../../../../src/protocols/config/site-map/get-deleted-sites-by-query.ts';
import { getDeletedSitesBySiteId } from '../../../../src/protocols/config/site-map/get-deleted-sites-by-site-id.ts';
import { getDeletedSitesByUrl } from '../../../../src/protocols/config/site-map/get-deleted-sites-by-url.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { sharedFarm } from '../shared-farm.ts';
import { told } from '../told.ts';
import {
  application,
  bestMatch,
  count,
  database,
  exists,
  hide,
  noMatch,
  page,
  put,
  putDeleted,
  site,
  stored,
  subscription,
  unhide,
} from './sites.ts';

const day = (number: number) => new Date(Date.UTC(2024, 0, number));

const one = async (client: TestClient, number: number, inDatabase = 1, inApplication = 1) =>
  told(
    await client.call(getDeletedSite, {
      ApplicationId: application(inApplication),
      DatabaseId: database(inDatabase),
      SiteId: site(number),
    }),
  );
const byUrl = async (client: TestClient, Path: string | null, RowLimit: number | null = 10, inApplication = 1) =>
  told(await client.call(getDeletedSitesByUrl, { ApplicationId: application(inApplication), Path, RowLimit }));
const bySite = async (client: TestClient, number: number, RowLimit: number | null = 10) =>
  told(await client.call(getDeletedSitesBySiteId, { ApplicationId: application(1), SiteId: site(number), RowLimit }));
type Query = Partial<CallInput<(typeof getDeletedSitesByQuery)['params']>>;
const byQuery = async (client: TestClient, more: Query = {}) => {
  const all = { SubscriptionId: null, PathLike: null, DeletionTimeFrom: null, DeletionTimeTo: null, SiteId: null };
  const [code, rows] = told(
    await client.call(getDeletedSitesByQuery, { ApplicationId: application(1), ...all, RowLimit: 10, ...more }),
  );
  assert.equal(code, 0);
  return (rows as unknown[][]).map(([id]) => id);
};

/** Four hidden references, the one with the highest number marked last. */
async function fourDeleted(client: TestClient): Promise<void> {
  await putDeleted(client, 1, '/sites/a', { DeletionTime: day(1), SubscriptionId: subscription(1) });
  await putDeleted(client, 2, '/sites/A_b', { DeletionTime: day(2), Pairing: 1, RedirectUrl: '/old' });
  await putDeleted(client, 3, '/teams/a', { DeletionTime: day(3), SubscriptionId: subscription(1) });
  await putDeleted(client, 4, 'a.example.com', { DeletionTime: day(4), HostHeaderIsSiteName: true });
  await putDeleted(client, 5, '/sites/a', { DeletionTime: day(5), ApplicationId: application(2) });
  await stored(client, 6, '/sites/abc');
}

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 3.1.5.68: a hidden reference is seen only by the deleted-site procedures, since the time of the server', () => {
    const clock = new ManualClock('2024-01-15T10:30:00Z');
    return withFarm(async ({ client }) => {
      await stored(client, 1, '/sites/a', { SubscriptionId: subscription(1) });
      await stored(client, 2, '/sites/b');
      assert.deepEqual(await hide(client, 1), [0]);
      assert.equal(await exists(client, 1), 0);
      assert.deepEqual(await count(client), [0, [[1]]]);
      assert.deepEqual(await page(client), [[site(2), '/sites/b']]);
      assert.deepEqual(await bestMatch(client, '/sites/a'), noMatch);
      const row = [site(1), subscription(1), database(1), new Date('2024-01-15T10:30:00Z'), '/sites/a', false, 0];
      assert.deepEqual(await one(client, 1), [0, [row]]);
      clock.advance(60_000);
      assert.deepEqual(await hide(client, 1), [0]);
      assert.deepEqual(await one(client, 1), [0, [row]], 'it keeps the time of the first mark');
    }, clock);
  });

  test('MS-WSSCFGD2 3.1.5.68: hides nothing unless site collection and content database match', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, '/sites/a');
      for (const none of [database(2), null]) assert.deepEqual(await hide(client, 1, none), [0]);
      assert.deepEqual(await hide(client, 9), [0]);
      assert.equal(await exists(client, 1), 1);
    }));

  test('MS-WSSCFGD2 3.1.5.69: brings a reference back with all its values', () =>
    withFarm(async ({ client }) => {
      const more = { SubscriptionId: subscription(1), RedirectUrl: '/x', Pairing: 1 };
      await stored(client, 1, '/sites/a', more);
      await stored(client, 2, '/sites/b');
      await hide(client, 1);
      for (const none of [database(2), null]) assert.deepEqual(await unhide(client, 1, none), [0]);
      assert.deepEqual(await unhide(client, 9), [0]);
      assert.equal(await exists(client, 1), 0);
      assert.deepEqual(await unhide(client, 1), [0]);
      assert.deepEqual(await unhide(client, 1), [0]);
      assert.equal(await exists(client, 1), 1);
      assert.deepEqual(await one(client, 1), [0, []]);
      assert.deepEqual(await count(client, database(1)), [0, [[2]]]);
      assert.deepEqual(await bestMatch(client, '/sites/', { CollectionType: 3 }), [
        ...[site(1), database(1), application(1)],
        0,
      ]);
      await hide(client, 1);
      assert.equal(((await byQuery(client, { SubscriptionId: subscription(1) })) as unknown[]).length, 1);
    }));

  test('MS-WSSCFGD2 3.1.5.69: a path or site collection that is live meanwhile is error 2627; the reference stays hidden', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, '/Sites/A');
      await hide(client, 1);
      await stored(client, 2, '/SITES/a');
      await assert.rejects(unhide(client, 1), { number: 2627, message: /\(\/Sites\/A\)/ });
      await stored(client, 1, '/sites/b', { DatabaseId: database(2) });
      await hide(client, 2);
      await assert.rejects(unhide(client, 1), { number: 2627 });
      assert.equal(((await one(client, 1))[1] as unknown[]).length, 1);
      assert.deepEqual(await page(client), [[site(1), '/sites/b']]);
    }));

  test('MS-WSSCFGD2 3.1.5.75: stores a hidden reference with the values and the deletion time given', () =>
    withFarm(async ({ client }) => {
      await fourDeleted(client);
      assert.deepEqual(await one(client, 2), [0, [[site(2), null, database(1), day(2), '/sites/A_b', false, 1]]]);
      assert.deepEqual(await one(client, 4), [0, [[site(4), null, database(1), day(4), 'a.example.com', true, 0]]]);
      assert.deepEqual(await count(client), [0, [[1]]]);
      assert.deepEqual(await unhide(client, 2), [0]);
      assert.deepEqual(await bestMatch(client, '/sites/', { CollectionType: 3 }), [
        ...[site(2), database(1), application(1)],
        0,
      ]);
    }));

  test('MS-WSSCFGD2 3.1.5.75: NULL as @Pairing and @HostHeaderIsSiteName is stored as 0', () =>
    withFarm(async ({ client }) => {
      const more = { DeletionTime: day(2), Pairing: null, HostHeaderIsSiteName: null };
      assert.deepEqual(await putDeleted(client, 1, '/sites/a', more), [0]);
      assert.deepEqual(await one(client, 1), [0, [[site(1), null, database(1), day(2), '/sites/a', false, 0]]]);
    }));

  test('MS-WSSCFGD2 3.1.5.75: returns 1 and stores nothing for a pairing that is neither 0 nor 1', () =>
    withFarm(async ({ client }) => {
      for (const Pairing of [2, 255]) assert.deepEqual(await putDeleted(client, 1, '/sites/a', { Pairing }), [1]);
      assert.deepEqual(await byQuery(client), []);
    }));

  test('MS-WSSCFGD2 3.1.5.75: returns 1 and stores nothing when the reference is there or a value is NULL', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, '/sites/a');
      assert.deepEqual(await putDeleted(client, 1, '/sites/b'), [1]);
      assert.deepEqual(await putDeleted(client, 2, '/sites/b'), [0]);
      assert.deepEqual(await putDeleted(client, 2, '/sites/c'), [1]);
      for (const name of ['ApplicationId', 'DatabaseId', 'SiteId', 'Path', 'DeletionTime'])
        assert.deepEqual(await putDeleted(client, 3, '/sites/d', { [name]: null }), [1], name);
      assert.deepEqual(await byQuery(client), [site(2)]);
      assert.deepEqual(await putDeleted(client, 1, '/sites/a', { DatabaseId: database(2) }), [0]);
      assert.deepEqual(await put(client, 4, '/sites/b'), [0, [[site(4)]], 2], 'a hidden path is free');
    }));

  test('MS-WSSCFGD2 3.1.5.71: finds hidden references of the Web application by the beginning of their path', () =>
    withFarm(async ({ client }) => {
      await fourDeleted(client);
      const row = (number: number, pairing: number, of: string | null, inDatabase = 1) => [
        ...[site(number), of, database(inDatabase), day(number), number === 4],
        pairing,
      ];
      const [first, second] = [row(1, 0, subscription(1)), row(2, 1, null)];
      assert.deepEqual(await byUrl(client, '/SITES/a'), [0, [second, first]]);
      assert.deepEqual(await byUrl(client, '/sites/a_'), [0, [second]]);
      assert.deepEqual(await byUrl(client, '/sites/%'), [0, []], 'the text is taken as it is');
      assert.deepEqual(await byUrl(client, 'a.'), [0, [row(4, 0, null)]]);
      assert.deepEqual(await byUrl(client, '/sites/', 10, 2), [0, [row(5, 0, null)]]);
      assert.deepEqual(await byUrl(client, '/sites/', 1), [0, [second]]);
      assert.equal(((await byUrl(client, '', null))[1] as unknown[]).length, 4);
      for (const none of [0, -1]) assert.deepEqual(await byUrl(client, '', none), [0, []]);
      assert.deepEqual(await byUrl(client, null), [0, []]);
      assert.deepEqual(await byUrl(client, 'x'.repeat(129)), [0, []], 'what is too long is cut');
    }));

  test('MS-WSSCFGD2 3.1.5.72: finds hidden references under all conditions that are not NULL', () =>
    withFarm(async ({ client }) => {
      await fourDeleted(client);
      assert.deepEqual(await byQuery(client), [4, 3, 2, 1].map(site));
      assert.deepEqual(await byQuery(client, { ApplicationId: application(2) }), [site(5)]);
      assert.deepEqual(await byQuery(client, { ApplicationId: null }), []);
      assert.deepEqual(await byQuery(client, { SubscriptionId: subscription(1) }), [3, 1].map(site));
      assert.deepEqual(await byQuery(client, { PathLike: '/Sites/' }), [2, 1].map(site));
      assert.deepEqual(await byQuery(client, { PathLike: '/Sites/%' }), [2, 1].map(site));
      assert.deepEqual(await byQuery(client, { PathLike: '/sites/a_%' }), [site(2)], 'only a last % is special');
      assert.deepEqual(await byQuery(client, { DeletionTimeFrom: day(2) }), [4, 3, 2].map(site));
      assert.deepEqual(await byQuery(client, { DeletionTimeTo: day(2) }), [2, 1].map(site));
      assert.deepEqual(await byQuery(client, { DeletionTimeFrom: day(2), DeletionTimeTo: day(3) }), [3, 2].map(site));
      assert.deepEqual(await byQuery(client, { DeletionTimeFrom: day(3), DeletionTimeTo: day(2) }), []);
      assert.deepEqual(await byQuery(client, { SiteId: site(3) }), [site(3)]);
      assert.deepEqual(await byQuery(client, { SiteId: site(6) }), [], 'a live reference');
      assert.deepEqual(await byQuery(client, { RowLimit: 2 }), [4, 3].map(site));
      assert.deepEqual(await byQuery(client, { RowLimit: null }), [4, 3, 2, 1].map(site));
      for (const RowLimit of [0, -1]) assert.deepEqual(await byQuery(client, { RowLimit }), []);
      assert.deepEqual(await byQuery(client, { PathLike: 'x'.repeat(257) }), [], 'what is too long is cut');
    }));

  test('MS-WSSCFGD2 3.1.5.73: finds the hidden references of a site collection, one a content database', () =>
    withFarm(async ({ client }) => {
      await fourDeleted(client);
      const twice = { DatabaseId: database(2), DeletionTime: day(9), SubscriptionId: subscription(1) };
      await putDeleted(client, 1, '/sites/a', twice);
      const rows = [
        [site(1), subscription(1), database(2), day(9), '/sites/a', false, 0],
        [site(1), subscription(1), database(1), day(1), '/sites/a', false, 0],
      ];
      assert.deepEqual(await bySite(client, 1), [0, rows]);
      assert.deepEqual(await bySite(client, 1, 1), [0, rows.slice(0, 1)]);
      assert.deepEqual(await bySite(client, 1, null), [0, rows]);
      for (const none of [0, -1]) assert.deepEqual(await bySite(client, 1, none), [0, []]);
      for (const number of [5, 6, 9]) assert.deepEqual(await bySite(client, number), [0, []]);
    }));

  test('MS-WSSCFGD2 3.1.5.74: returns a row only where Web application, content database and site collection match', () =>
    withFarm(async ({ client }) => {
      await fourDeleted(client);
      assert.equal(((await one(client, 1))[1] as unknown[]).length, 1);
      assert.deepEqual(await one(client, 1, 2), [0, []]);
      assert.deepEqual(await one(client, 1, 1, 2), [0, []]);
      assert.deepEqual(await one(client, 6), [0, []], 'a live reference');
      const nothing = { ApplicationId: null, DatabaseId: null, SiteId: null };
      assert.deepEqual(told(await client.call(getDeletedSite, nothing)), [0, []]);
    }));
});
