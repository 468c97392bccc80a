import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TYPES } from 'tedious';
import { ManualClock } from '../../../../src/base/clock.ts';
import { getDeletedSite } from '../../../../src/protocols/config/site-map/get-deleted-site.ts';
import { getSiteIdOfHostHeaderSite } from '../../../../src/protocols/config/site-map/get-site-id-of-host-header-site.ts';
import { getSiteIds } from '../../../../src/protocols/config/site-map/get-site-ids.ts';
import { getSiteSubscriptionSiteIdsInContentDatabase } from '../../../../src/protocols/config/site-map/get-site-subscription-site-ids-in-content-database.ts';
import { getSiteSubscriptionSiteIdsInWebApplication } from '../../../../src/protocols/config/site-map/get-site-subscription-site-ids-in-web-application.ts';
import { getSiteSubscriptionsInContentDb } from '../../../../src/protocols/config/site-map/get-site-subscriptions-in-content-db.ts';
import { getSiteSubscriptionsInWebApplication } from '../../../../src/protocols/config/site-map/get-site-subscriptions-in-web-application.ts';
import { getSubscriptionIds } from '../../../../src/protocols/config/site-map/get-subscription-ids.ts';
import { setSubscription } from '../../../../src/protocols/config/site-map/set-subscription.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { sharedFarm } from '../shared-farm.ts';
import { listed, told } from '../told.ts';
import { count, hide, put, refused, stored, unhide } from './sites.ts';

// The figures of section 4 hold the values of the calls and are not in the text, so the values are chosen here.
const id = (group: string) => (number: number) => `${group}000000-0000-0000-0000-00000000000${number}`;
const [subscription, application, database] = [id('50'), id('51'), id('52')];
const site = id('53');

/** A step of the example: its sites are numbered within another group than those of `sites.ts`. */
const inExample = (number: number, of: number | null, app: number, base: number, host = false) => ({
  ApplicationId: application(app),
  DatabaseId: database(base),
  SiteId: site(number),
  SubscriptionId: of === null ? null : subscription(of),
  HostHeaderIsSiteName: host,
});

async function sixSites(client: TestClient): Promise<void> {
  assert.deepEqual(await put(client, 1, '/', inExample(1, 1, 1, 1)), [0, [[site(1)]], 1]);
  assert.deepEqual(await put(client, 2, '/sites/b', inExample(2, 2, 1, 1)), [0, [[site(2)]], 2]);
  assert.deepEqual(await put(client, 3, '/sites/c', inExample(3, 1, 1, 2)), [0, [[site(3)]], 1]);
  assert.deepEqual(await put(client, 4, '/', inExample(4, 1, 2, 3)), [0, [[site(4)]], 1]);
  assert.deepEqual(await put(client, 5, '/sites/e', inExample(5, null, 2, 3)), [0, [[site(5)]], 2]);
  const host = await put(client, 6, 'portal.example.com:80', inExample(6, null, 2, 3, true));
  assert.deepEqual(host, [0, [[site(6)]], 3]);
  assert.deepEqual(await put(client, 1, '/other', inExample(1, 1, 1, 2)), refused);
}

const inFarm = async (client: TestClient) => listed(await client.call(getSubscriptionIds, {}));
const inApplication = async (client: TestClient, app: number) =>
  listed(await client.call(getSiteSubscriptionsInWebApplication, { WebApplicationId: application(app) }));
const inDatabase = async (client: TestClient, base: number) =>
  listed(await client.call(getSiteSubscriptionsInContentDb, { ContentDatabaseId: database(base) }));
const sitesOf = async (client: TestClient, of: number) =>
  listed(await client.call(getSiteIds, { SubscriptionId: subscription(of) }));
const sitesInApplication = async (client: TestClient, app: number, of: number) =>
  listed(
    await client.call(getSiteSubscriptionSiteIdsInWebApplication, {
      WebApplicationId: application(app),
      SubscriptionId: subscription(of),
    }),
  );
const sitesInDatabase = async (client: TestClient, base: number, of: number) =>
  listed(
    await client.call(getSiteSubscriptionSiteIdsInContentDatabase, {
      ContentDatabaseId: database(base),
      SubscriptionId: subscription(of),
    }),
  );

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 4.5: retrieves site subscriptions and their site collections', () =>
    withFarm(async ({ client }) => {
      await sixSites(client);
      // 4.5.1
      assert.deepEqual(await inFarm(client), [1, 2].map(subscription));
      assert.deepEqual(await inApplication(client, 1), [1, 2].map(subscription));
      assert.deepEqual(await inApplication(client, 2), [subscription(1)]);
      assert.deepEqual(await inDatabase(client, 1), [1, 2].map(subscription));
      assert.deepEqual(await inDatabase(client, 2), [subscription(1)]);
      assert.deepEqual(await inDatabase(client, 3), [subscription(1)]);
      // 4.5.2
      assert.deepEqual(await sitesOf(client, 1), [1, 3, 4].map(site));
      assert.deepEqual(await sitesOf(client, 2), [site(2)]);
      assert.deepEqual(await sitesInApplication(client, 1, 1), [1, 3].map(site));
      assert.deepEqual(await sitesInApplication(client, 2, 1), [site(4)]);
      assert.deepEqual(await sitesInApplication(client, 2, 2), []);
      assert.deepEqual(await sitesInDatabase(client, 1, 1), [site(1)]);
      assert.deepEqual(await sitesInDatabase(client, 2, 1), [site(3)]);
      assert.deepEqual(await sitesInDatabase(client, 3, 2), []);
    }));

  test('MS-WSSCFGD2 4.5: a subscription that is set, and a site that is hidden and comes back, change what is retrieved', () =>
    withFarm(async ({ client }) => {
      await sixSites(client);
      const set = { SiteId: site(6), SubscriptionId: subscription(2) };
      assert.deepEqual(told(await client.call(setSubscription, set)), [0]);
      assert.deepEqual(await sitesOf(client, 2), [2, 6].map(site));
      assert.deepEqual(await inApplication(client, 2), [1, 2].map(subscription));
      const hidden = { Id: site(4), DatabaseId: database(3) };
      const look = { ApplicationId: application(2), DatabaseId: database(3), SiteId: site(4) };
      assert.deepEqual(told(await client.rpc('proc_hideSiteMap', parameters(hidden))), [0]);
      assert.deepEqual(await sitesOf(client, 1), [1, 3].map(site));
      assert.deepEqual(await count(client, null), [0, [[5]]]);
      assert.equal((await client.rpc('proc_SiteExists', parameters({ SiteId: site(4) }))).status, 0);
      const row = [site(4), subscription(1), database(3), new Date('2024-01-15T10:30:00Z'), '/', false, 0];
      assert.deepEqual(told(await client.call(getDeletedSite, look)), [0, [row]]);
      assert.deepEqual(told(await client.rpc('proc_unhideSiteMap', parameters(hidden))), [0]);
      assert.deepEqual(await sitesOf(client, 1), [1, 3, 4].map(site));
      assert.equal((await client.rpc('dbo.PROC_SITEEXISTS', parameters({ SiteId: site(4) }))).status, 1);
      const found = await client.call(getSiteIdOfHostHeaderSite, { HostHeader: 'portal.example.com:80' });
      assert.deepEqual(told(found), [0, [[site(6)]]]);
    }, new ManualClock('2024-01-15T10:30:00Z')));

  test('MS-WSSCFGD2 3.1.5.33: answers to the name that the example of section 4.5.1 gives it, too', () =>
    withFarm(async ({ client }) => {
      await sixSites(client);
      const answer = await client.rpc(
        'proc_getSiteSubscriptionsInContentDatabase',
        parameters({ ContentDatabaseId: database(2) }),
      );
      assert.deepEqual(listed(answer), [subscription(1)]);
    }));

  test('MS-WSSCFGD2 3.1.5.61: NULL takes a site out of its subscription; an unknown or hidden site changes nothing', () =>
    withFarm(async ({ client }) => {
      await sixSites(client);
      const set = async (number: number, of: number | null) =>
        told(
          await client.call(setSubscription, {
            SiteId: site(number),
            SubscriptionId: of === null ? null : subscription(of),
          }),
        );
      assert.deepEqual(await set(2, null), [0]);
      assert.deepEqual(await inFarm(client), [subscription(1)]);
      assert.deepEqual(await set(9, 2), [0]);
      assert.deepEqual(await inFarm(client), [subscription(1)]);
      const unknown = { SiteId: null, SubscriptionId: subscription(2) };
      await assert.rejects(client.callLoosely(setSubscription, unknown), { number: 515 });
      await client.rpc('proc_hideSiteMap', parameters({ Id: site(3), DatabaseId: database(2) }));
      assert.deepEqual(await set(3, 2), [0]);
      await client.rpc('proc_unhideSiteMap', parameters({ Id: site(3), DatabaseId: database(2) }));
      assert.deepEqual(await sitesInDatabase(client, 2, 1), [site(3)]);
    }));

  test('MS-WSSCFGD2 3.1.5.31: NULL finds no site collection, not even those without a subscription', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, '/');
      assert.deepEqual(told(await client.call(getSiteIds, { SubscriptionId: null })), [0, []]);
      const nowhere = { ContentDatabaseId: null, SubscriptionId: null };
      assert.deepEqual(told(await client.call(getSiteSubscriptionSiteIdsInContentDatabase, nowhere)), [0, []]);
      const noApplication = { WebApplicationId: null, SubscriptionId: null };
      assert.deepEqual(told(await client.call(getSiteSubscriptionSiteIdsInWebApplication, noApplication)), [0, []]);
      assert.deepEqual(await inFarm(client), []);
    }));

  test('MS-WSSCFGD2 3.1.5.37: a subscription whose last site is hidden is not listed until it comes back', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, '/', { SubscriptionId: subscription(1) });
      await hide(client, 1);
      assert.deepEqual(await inFarm(client), []);
      await unhide(client, 1);
      assert.deepEqual(await inFarm(client), [subscription(1)]);
    }));
});

/** GUIDs by name, for a call by the name alone. */
function parameters(values: Readonly<Record<string, string>>) {
  return Object.entries(values).map(([name, value]) => ({ name, type: TYPES.UniqueIdentifier, value }));
}
