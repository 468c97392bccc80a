import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropSiteMap } from '../../../../src/protocols/config/site-map/drop-site-map.ts';
import { dropSiteMap2 } from '../../../../src/protocols/config/site-map/drop-site-map2.ts';
import { getSiteIdOfHostHeaderSite } from '../../../../src/protocols/config/site-map/get-site-id-of-host-header-site.ts';
import { putSiteMap } from '../../../../src/protocols/config/site-map/put-site-map.ts';
import { renameSiteMap } from '../../../../src/protocols/config/site-map/rename-site-map.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { guid } from '../farm.ts';
import { sharedFarm } from '../shared-farm.ts';
import { given, told } from '../told.ts';
import {
  application,
  bestMatch,
  count,
  database,
  exists,
  hide,
  page,
  put,
  putDeleted,
  refused,
  site,
  stored,
  usual,
} from './sites.ts';

const byHost = async (client: TestClient, HostHeader: string | null) =>
  told(await client.call(getSiteIdOfHostHeaderSite, { HostHeader }));
const rename = async (client: TestClient, number: number, Path: string) =>
  told(await client.call(renameSiteMap, { SiteId: site(number), Path }));
const host = { HostHeaderIsSiteName: true };

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 3.1.5.56: stores a reference, returns its identifier in a column without a name and the new count', () =>
    withFarm(async ({ client }) => {
      const answer = await client.call(putSiteMap, { ...usual, SiteId: site(1), Path: '/' });
      assert.deepEqual(answer.columns, [['']]);
      assert.deepEqual(told(answer), [0, [[site(1)]]]);
      assert.equal(given(answer, 'CurrentDatabaseSiteCount'), 1);
      assert.deepEqual(await put(client, 2, '/sites/b'), [0, [[site(2)]], 2]);
      assert.deepEqual(await put(client, 3, '/sites/c', { DatabaseId: database(2) }), [0, [[site(3)]], 1]);
    }));

  test('MS-WSSCFGD2 3.1.5.56: hands back the request identifier as it came', () =>
    withFarm(async ({ client }) => {
      const RequestGuid = guid('12', 34);
      const answer = await client.call(putSiteMap, { ...usual, SiteId: site(1), Path: '/', RequestGuid });
      assert.equal(given(answer, 'RequestGuid'), RequestGuid);
      assert.equal(
        given(await client.call(putSiteMap, { ...usual, SiteId: site(2), Path: '/2' }), 'RequestGuid'),
        null,
      );
    }));

  test('MS-WSSCFGD2 3.1.5.56: a failure returns no result set, keeps the count that came in and stores nothing', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, '/sites/a');
      assert.deepEqual(await put(client, 1, '/other'), refused, 'the site collection has a reference');
      const elsewhere = { DatabaseId: database(2), ApplicationId: application(2) };
      assert.deepEqual(await put(client, 1, '/other', elsewhere), refused, 'in another content database');
      assert.deepEqual(await put(client, 2, '/SITES/A'), refused, 'the path is taken, without regard to case');
      assert.deepEqual(await put(client, 2, '/sites/a '), refused, 'and to trailing blanks');
      for (const name of ['ApplicationId', 'DatabaseId', 'SiteId', 'Path'])
        assert.deepEqual(await put(client, 2, '/new', { [name]: null }), refused, `${name} is NULL`);
      assert.deepEqual(await page(client), [[site(1), '/sites/a']]);
      assert.deepEqual(await count(client), [0, [[1]]]);
      assert.equal(await exists(client, 2), 0);
    }));

  test('MS-WSSCFGD2 3.1.5.56: a path is taken within its Web application, and accents make another path', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, '/sites/etage');
      await stored(client, 2, '/sites/étage');
      await stored(client, 3, '/sites/etage', { ApplicationId: application(2), DatabaseId: database(2) });
      assert.deepEqual(await put(client, 4, '/sites/ÉTAGE'), refused);
    }));

  test('MS-WSSCFGD2 3.1.5.56: a host header is taken in the farm, and is no path', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, 'portal.example.com:80', host);
      const elsewhere = { ApplicationId: application(2), DatabaseId: database(2) };
      assert.deepEqual(await put(client, 2, 'PORTAL.example.com:80', { ...host, ...elsewhere }), refused);
      await stored(client, 2, 'portal.example.com:80');
      assert.deepEqual(await byHost(client, 'Portal.Example.com:80'), [0, [[site(1)]]]);
    }));

  test('MS-WSSCFGD2 3.1.5.56: the path of a hidden reference is free, its place in the content database is not', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, '/sites/a');
      await hide(client, 1);
      assert.deepEqual(await put(client, 1, '/sites/b'), refused);
      assert.deepEqual(await put(client, 2, '/sites/a'), [0, [[site(2)]], 1]);
      assert.deepEqual(await put(client, 1, '/sites/c', { DatabaseId: database(2) }), [0, [[site(1)]], 1]);
    }));

  test('MS-WSSCFGD2 3.1.5.56: a path longer than 128 and a redirect longer than 512 are cut to them', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, `/${'x'.repeat(200)}`, { RedirectUrl: `/${'x'.repeat(600)}` });
      assert.deepEqual(await count(client), [0, [[1]]]);
      assert.deepEqual(await rename(client, 1, `/${'x'.repeat(127)}`), await rename(client, 1, `/${'x'.repeat(127)}`));
    }));

  test('MS-WSSCFGD2 3.1.5.56: an upgraded site collection is stored without a redirect too, and is of both types', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, '/sites/a', { Pairing: 1 });
      await stored(client, 2, '/sites/b', { Pairing: null, HostHeaderIsSiteName: null });
      assert.deepEqual(await page(client, { CollectionType: 3 }), [[site(1), '/sites/a']]);
      assert.equal((await page(client, { CollectionType: 2 })).length, 2);
      assert.deepEqual(await put(client, 3, '/sites/b'), refused, 'without a host header it is a path');
    }));

  test('MS-WSSCFGD2 3.1.5.56: a pairing that is neither 0 nor 1 is refused, and nothing is stored', () =>
    withFarm(async ({ client }) => {
      for (const Pairing of [2, 255]) assert.deepEqual(await put(client, 1, '/sites/a', { Pairing }), refused);
      assert.deepEqual(await count(client), [0, [[0]]]);
    }));

  test('MS-WSSCFGD2 3.1.5.56: of ten clients that put a reference to one site collection at once, one has put it', () =>
    withFarm(async (_, { connect }) => {
      const farms = await Promise.all(Array.from({ length: 10 }, connect));
      const [first] = farms;
      assert.ok(first);
      for (let number = 1; number <= 5; number++) {
        const answers = await Promise.all(
          farms.map(({ client }, index) =>
            index % 2 === 0 ? put(client, number, `/${number}/${index}`) : putDeleted(client, number, `/${number}`),
          ),
        );
        const stores = answers.filter((answer, index) => (index % 2 === 0 ? answer.length === 3 : answer[0] === 0));
        assert.equal(stores.length, 1);
      }
      assert.deepEqual(await count(first.client, database(1)), [0, [[(await page(first.client)).length]]]);
    }));

  test('MS-WSSCFGD2 3.1.5.29: counts one content database, all of them, and 0 for an unknown one', () =>
    withFarm(async ({ client }) => {
      assert.deepEqual(await count(client), [0, [[0]]]);
      await stored(client, 1, '/');
      await stored(client, 2, '/a');
      await stored(client, 3, '/b', { DatabaseId: database(2) });
      assert.deepEqual(await count(client), [0, [[3]]]);
      assert.deepEqual(await count(client, null), [0, [[3]]]);
      assert.deepEqual(await count(client, database(1)), [0, [[2]]]);
      assert.deepEqual(await count(client, database(9)), [0, [[0]]]);
      await hide(client, 1);
      assert.deepEqual(await count(client, database(1)), [0, [[1]]]);
    }));

  test('MS-WSSCFGD2 3.1.5.62: returns 1 for a live reference and 0 for none or a hidden one', () =>
    withFarm(async ({ client }) => {
      assert.equal(await exists(client, 1), 0);
      await stored(client, 1, '/');
      assert.equal(await exists(client, 1), 1);
      await hide(client, 1);
      assert.equal(await exists(client, 1), 0);
    }));

  test('MS-WSSCFGD2 3.1.5.30: finds a host header site without regard to case, and no path, hidden or unknown one', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, 'a.example.com', host);
      await stored(client, 2, 'b.example.com');
      await stored(client, 3, 'c.example.com', host);
      await hide(client, 3);
      assert.deepEqual(await byHost(client, 'A.EXAMPLE.COM'), [0, [[site(1)]]]);
      for (const none of ['b.example.com', 'c.example.com', 'a.example.co', '', null])
        assert.deepEqual(await byHost(client, none), [0, []]);
      await stored(client, 4, 'x'.repeat(128), host);
      assert.deepEqual(await byHost(client, 'x'.repeat(129)), [0, [[site(4)]]], 'what is too long is cut');
    }));

  test('MS-WSSCFGD2 3.1.5.59: renames a host header site, which is found by the new name and its place in the order', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, 'a.example.com', host);
      await stored(client, 2, 'm.example.com', host);
      assert.deepEqual(await rename(client, 1, 'Z.example.com'), [0]);
      assert.deepEqual(await byHost(client, 'a.example.com'), [0, []]);
      assert.deepEqual(await byHost(client, 'z.example.com'), [0, [[site(1)]]]);
      assert.deepEqual(await bestMatch(client, 'z'), [site(1), database(1), application(1), 1]);
      assert.deepEqual(await page(client), [
        [site(1), 'Z.example.com'],
        [site(2), 'm.example.com'],
      ]);
      assert.deepEqual(await rename(client, 1, 'z.EXAMPLE.com'), [0]);
    }));

  test('MS-WSSCFGD2 3.1.5.59: changes nothing for an unknown, path-based or hidden site collection', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, '/sites/a');
      await stored(client, 2, 'b.example.com', host);
      await hide(client, 2);
      for (const number of [1, 2, 9]) assert.deepEqual(await rename(client, number, 'new.example.com'), [0]);
      assert.deepEqual(await page(client), [[site(1), '/sites/a']]);
      assert.deepEqual(await byHost(client, 'new.example.com'), [0, []]);
    }));

  test('MS-WSSCFGD2 3.1.5.59: a name that another site has is error 2627, also once it is cut to its length, and a NULL 515', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, 'a.example.com', host);
      await stored(client, 2, 'b.example.com', host);
      await assert.rejects(rename(client, 1, 'B.example.com'), { number: 2627 });
      await stored(client, 3, 'x'.repeat(128), host);
      await assert.rejects(rename(client, 1, 'x'.repeat(129)), { number: 2627 });
      await assert.rejects(client.callLoosely(renameSiteMap, { SiteId: site(1), Path: null }), { number: 515 });
      await assert.rejects(client.callLoosely(renameSiteMap, { SiteId: null, Path: 'c' }), { number: 515 });
      assert.deepEqual(await byHost(client, 'a.example.com'), [0, [[site(1)]]]);
    }));

  test('MS-WSSCFGD2 3.1.5.20: deletes the references of a site collection in all content databases, hidden or not', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, '/sites/a');
      await putDeleted(client, 1, '/sites/a', { DatabaseId: database(2) });
      await stored(client, 2, '/sites/b');
      const drop = async (Id: string | null) => told(await client.call(dropSiteMap, { Id }));
      assert.deepEqual(await drop(site(1)), [0]);
      assert.deepEqual(await page(client), [[site(2), '/sites/b']]);
      assert.deepEqual(await putDeleted(client, 1, '/sites/a', { DatabaseId: database(2) }), [0]);
      for (const none of [site(9), null]) assert.deepEqual(await drop(none), [0]);
      assert.deepEqual(await count(client), [0, [[1]]]);
    }));

  test('MS-WSSCFGD2 3.1.5.70: deletes the reference in one content database and leaves those in others', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, '/sites/a');
      await putDeleted(client, 1, '/sites/a', { DatabaseId: database(2) });
      const drop = async (DatabaseId: string | null, Id: string | null = site(1)) =>
        told(await client.call(dropSiteMap2, { Id, DatabaseId }));
      for (const none of [database(3), null]) assert.deepEqual(await drop(none), [0]);
      for (const none of [site(9), null]) assert.deepEqual(await drop(database(1), none), [0]);
      assert.equal(await exists(client, 1), 1);
      assert.deepEqual(await drop(database(2)), [0]);
      assert.equal(await exists(client, 1), 1);
      assert.deepEqual(await drop(database(1)), [0]);
      assert.equal(await exists(client, 1), 0);
      assert.deepEqual(await put(client, 1, '/sites/a'), [0, [[site(1)]], 1]);
    }));
});
