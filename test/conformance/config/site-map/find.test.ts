import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getSiteNames } from '../../../../src/protocols/config/site-map/get-site-names.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { sharedFarm } from '../shared-farm.ts';
import { told } from '../told.ts';
import { application, bestMatch, database, hide, noMatch, page, site, stored } from './sites.ts';

const redirecting = { RedirectUrl: '/elsewhere' };
const upgraded = { Pairing: 1, RedirectUrl: '/old' };

/** Two Web applications, three content databases, all kinds of references, one of them hidden. */
async function sixSites(client: TestClient): Promise<void> {
  const second = { DatabaseId: database(2) };
  const other = { ApplicationId: application(2), DatabaseId: database(3) };
  await stored(client, 1, '/sites/b');
  await stored(client, 2, '/sites/A', redirecting);
  await stored(client, 3, '/sites/c', { ...second, ...upgraded });
  await stored(client, 4, '/sites/b', { ...other, RedirectUrl: '' });
  await stored(client, 5, '/sites/bb', { ...other, ...redirecting });
  await stored(client, 6, '/sites/hidden', second);
  await hide(client, 6, database(2));
}

const at = (number: number, inDatabase: number, inApplication: number, offset: number) => [
  site(number),
  database(inDatabase),
  application(inApplication),
  offset,
];

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 3.1.5.28: the best match is the first path that begins with the text, without regard to case', () =>
    withFarm(async ({ client }) => {
      await sixSites(client);
      assert.deepEqual(await bestMatch(client, '/sites/C'), at(3, 2, 1, 4));
      assert.deepEqual(await bestMatch(client, '/SITES/bb'), at(5, 3, 2, 3));
      assert.deepEqual(await bestMatch(client, '/sites/'), at(2, 1, 1, 0));
      assert.deepEqual(await bestMatch(client, '/sites/b'), at(1, 1, 1, 1), 'equal paths: the least identifier');
      assert.deepEqual(await bestMatch(client, ''), at(2, 1, 1, 0), 'an empty text begins every path');
      for (const none of ['/sites/d', '/sites/bbb', 'sites', '/sites/hidden', '/sites/b ', '%', null])
        assert.deepEqual(await bestMatch(client, none), noMatch);
    }));

  test('MS-WSSCFGD2 3.1.5.28: the candidates are those of the content database and Web application given', () =>
    withFarm(async ({ client }) => {
      await sixSites(client);
      const within = (ApplicationId: number | null, DatabaseId: number | null) => ({
        ApplicationId: ApplicationId === null ? null : application(ApplicationId),
        DatabaseId: DatabaseId === null ? null : database(DatabaseId),
      });
      assert.deepEqual(await bestMatch(client, '/sites/b', within(2, null)), at(4, 3, 2, 1));
      assert.deepEqual(await bestMatch(client, '/sites/', within(null, 3)), at(4, 3, 2, 1));
      assert.deepEqual(await bestMatch(client, '/sites/', within(1, 2)), at(3, 2, 1, 4));
      assert.deepEqual(await bestMatch(client, '/sites/', within(2, 2)), noMatch);
      assert.deepEqual(await bestMatch(client, '/sites/', within(9, null)), noMatch);
      assert.deepEqual(await bestMatch(client, '/sites/', within(null, 9)), noMatch);
    }));

  test('MS-WSSCFGD2 3.1.5.28: the offset counts everywhere, in the Web application or in the content database of the match', () =>
    withFarm(async ({ client }) => {
      await sixSites(client);
      const offsets = async (path: string) => {
        const scopes = [undefined, 0, 1, 2, 3, null];
        const found = [];
        for (const BestMatchOffsetScope of scopes) {
          const more = BestMatchOffsetScope === undefined ? {} : { BestMatchOffsetScope };
          found.push((await bestMatch(client, path, more))[3]);
        }
        return found;
      };
      assert.deepEqual(await offsets('/sites/c'), [4, 4, 2, 0, 4, 4]);
      assert.deepEqual(await offsets('/sites/bb'), [3, 3, 1, 1, 3, 3]);
    }));

  test('MS-WSSCFGD2 3.1.5.28: match and offset are among the references of the type', () =>
    withFarm(async ({ client }) => {
      await sixSites(client);
      const ofType = (CollectionType: number | null, path = '/sites/') => bestMatch(client, path, { CollectionType });
      assert.deepEqual(await ofType(1), at(2, 1, 1, 0));
      assert.deepEqual(await ofType(1, '/sites/c'), at(3, 2, 1, 2));
      assert.deepEqual(await ofType(2), at(1, 1, 1, 0), 'an empty redirect is none');
      assert.deepEqual(await ofType(3), at(3, 2, 1, 0));
      assert.deepEqual(await ofType(3, '/sites/b'), noMatch);
      for (const unlisted of [4, -1, null]) assert.deepEqual(await ofType(unlisted), noMatch);
    }));

  test('MS-WSSCFGD2 3.1.5.28: paths sort as the collation sorts: punctuation, digits, letters, accents beside their letter', () =>
    withFarm(async ({ client }) => {
      const sorted = [
        '/',
        '/_x',
        '/-x',
        '/.x',
        '/{x',
        '/0',
        '/9',
        '/a',
        '/á',
        '/ab',
        '/Ærø',
        '/af',
        '/B',
        '/étage',
        '/Étages',
        '/f',
        '/straße',
        '/strat',
        '/Z',
        '/й',
      ];
      for (const [index, path] of sorted.toReversed().entries()) await stored(client, index, path);
      for (const [index, path] of sorted.entries()) assert.equal((await bestMatch(client, path))[3], index, path);
      assert.deepEqual(await bestMatch(client, '/e'), noMatch, 'é begins with é alone');
      assert.equal((await bestMatch(client, '/strass'))[3], sorted.indexOf('/straße'), 'ß is ss');
      assert.equal((await bestMatch(client, '/STRAß'))[3], sorted.indexOf('/straße'));
    }));

  test('MS-WSSCFGD2 3.1.5.28: a text longer than 128 is cut to them', () =>
    withFarm(async ({ client }) => {
      await stored(client, 1, `/${'x'.repeat(127)}`);
      assert.deepEqual(await bestMatch(client, `/${'x'.repeat(500)}`), await bestMatch(client, `/${'x'.repeat(127)}`));
      assert.notDeepEqual(await bestMatch(client, `/${'x'.repeat(500)}`), noMatch);
    }));

  test('MS-WSSCFGD2 3.1.5.38: returns the references of both containers and the type, by identifier', () =>
    withFarm(async ({ client }) => {
      await sixSites(client);
      const ids = async (more: object) => (await page(client, more)).map(([id]) => id);
      assert.deepEqual(await ids({}), [1, 2, 3, 4, 5].map(site));
      assert.deepEqual(await ids({ SortDirection: 'DESC' }), [5, 4, 3, 2, 1].map(site));
      assert.deepEqual(await ids({ SortDirection: 'desc' }), [5, 4, 3, 2, 1].map(site));
      for (const SortDirection of ['asc', 'x', '', null])
        assert.deepEqual(await ids({ SortDirection }), [1, 2, 3, 4, 5].map(site));
      assert.deepEqual(await ids({ ApplicationId: application(1) }), [1, 2, 3].map(site));
      assert.deepEqual(await ids({ DatabaseId: database(3) }), [4, 5].map(site));
      assert.deepEqual(await ids({ DatabaseId: database(2), ApplicationId: application(1) }), [site(3)]);
      assert.deepEqual(await ids({ DatabaseId: database(2), ApplicationId: application(2) }), []);
      assert.deepEqual(await ids({ CollectionType: 1 }), [2, 3, 5].map(site));
      assert.deepEqual(await ids({ CollectionType: 2 }), [1, 4].map(site));
      assert.deepEqual(await ids({ CollectionType: 3 }), [site(3)]);
      for (const CollectionType of [4, -1, null]) assert.deepEqual(await ids({ CollectionType }), []);
      assert.deepEqual(await page(client, { DatabaseId: database(2) }), [[site(3), '/sites/c']]);
    }));

  test('MS-WSSCFGD2 3.1.5.38: pages by a row counted from 0 and a page size; a size of 0, -1 or NULL returns no rows', () =>
    withFarm(async ({ client }) => {
      await sixSites(client);
      const ids = async (StartRow: number | null, PageSize: number | null, SortDirection = 'ASC') =>
        (await page(client, { StartRow, PageSize, SortDirection })).map(([id]) => id);
      assert.deepEqual(await ids(0, 2), [1, 2].map(site));
      assert.deepEqual(await ids(2, 2), [3, 4].map(site));
      assert.deepEqual(await ids(4, 2), [site(5)]);
      assert.deepEqual(await ids(5, 2), []);
      assert.deepEqual(await ids(1, 3, 'DESC'), [4, 3, 2].map(site));
      assert.deepEqual(await ids(4, 3, 'DESC'), [site(1)]);
      for (const first of [null, -1]) assert.deepEqual(await ids(first, 1), [site(1)]);
      for (const none of [0, -1, null]) assert.deepEqual(await ids(0, none), []);
      assert.deepEqual(await ids(2 ** 31 - 1, 2 ** 31 - 1), []);
    }));

  test('MS-WSSCFGD2 3.1.5.38: a content database in two Web applications pages by what is in both', () =>
    withFarm(async ({ client }) => {
      for (let number = 1; number <= 6; number++)
        await stored(client, number, `/sites/${number}`, { ApplicationId: application(1 + (number % 2)) });
      const both = { DatabaseId: database(1), ApplicationId: application(1), StartRow: 1, PageSize: 1 };
      assert.deepEqual(await page(client, both), [[site(4), '/sites/4']]);
      assert.deepEqual(await page(client, { ...both, SortDirection: 'DESC' }), [[site(4), '/sites/4']]);
      const within = { DatabaseId: database(1), ApplicationId: application(1) };
      assert.deepEqual(await bestMatch(client, '/sites/', within), at(2, 1, 1, 1));
    }));

  test('MS-WSSCFGD2 3.1.5.38: a direction longer than its type is cut to it, and there is no @RequestGuid', () =>
    withFarm(async ({ client }) => {
      await sixSites(client);
      assert.deepEqual(
        await page(client, { SortDirection: 'DESCENDING' }),
        await page(client, { SortDirection: 'DESC' }),
      );
      await assert.rejects(client.batch(`exec proc_getSiteSubset @PageSize = 1, @RequestGuid = null`), {
        number: 8145,
      });
    }));

  test('MS-WSSCFGD2 3.1.5.32: lists the paths of a Web application or content database of the type', () =>
    withFarm(async ({ client }) => {
      await sixSites(client);
      await stored(client, 7, 'portal.example.com', { HostHeaderIsSiteName: true });
      const names = async (ContainerId: string | null, ContainerType: number | null, CollectionType: number | null) =>
        told(await client.call(getSiteNames, { ContainerId, ContainerType, CollectionType }));
      const [a, b, c, portal] = [
        ['/sites/A', false],
        ['/sites/b', false],
        ['/sites/c', false],
        ['portal.example.com', true],
      ];
      assert.deepEqual(await names(application(1), 0, 0), [0, [a, b, c, portal]]);
      assert.deepEqual(await names(database(1), 1, 0), [0, [a, b, portal]]);
      assert.deepEqual(await names(application(1), 0, 1), [0, [a, c]]);
      assert.deepEqual(await names(application(1), 0, 2), [0, [b, portal]]);
      assert.deepEqual(await names(database(1), 0, 0), [0, []], 'no Web application');
      for (const [type, collection] of [
        [2, 0],
        [null, 0],
        [0, 3],
        [0, null],
      ])
        assert.deepEqual(await names(application(1), type ?? null, collection ?? null), [0, []]);
      assert.deepEqual(await names(null, 0, 0), [0, []]);
    }));
});
