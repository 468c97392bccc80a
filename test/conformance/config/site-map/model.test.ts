import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dropSiteMap } from '../../../../src/protocols/config/site-map/drop-site-map.ts';
import { dropSiteMap2 } from '../../../../src/protocols/config/site-map/drop-site-map2.ts';
import { renameSiteMap } from '../../../../src/protocols/config/site-map/rename-site-map.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { sharedFarm } from '../shared-farm.ts';
import { type Container, type Reference, SiteMap } from './model.ts';
import {
  application,
  bestMatch,
  count,
  database,
  hide,
  noMatch,
  page,
  put,
  putDeleted,
  site,
  unhide,
} from './sites.ts';

const path = fc
  .array(fc.constantFrom('a', 'B', 'e', 'é', 'É', 'z', '1', '-', '_', '.', '/'), { maxLength: 3 })
  .map((letters) => `/${letters.join('')}`);
const sites = fc.integer({ min: 1, max: 12 });
const databases = fc.integer({ min: 1, max: 3 });
const reference = fc.record({
  site: sites,
  database: databases,
  application: fc.integer({ min: 1, max: 2 }),
  path,
  host: fc.boolean(),
  redirects: fc.boolean(),
  upgraded: fc.boolean(),
  hidden: fc.constant(false),
});
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('put' as const), reference }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('putDeleted' as const), reference }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), site: sites }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop2' as const), site: sites, database: databases }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hide' as const), site: sites, database: databases }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('unhide' as const), site: sites, database: databases }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rename' as const), site: sites, path }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const values = ({ database: base, application: app, host, redirects, upgraded }: Reference) => ({
  DatabaseId: database(base),
  ApplicationId: application(app),
  HostHeaderIsSiteName: host,
  RedirectUrl: redirects ? '/elsewhere' : null,
  Pairing: upgraded ? 1 : 0,
});

/** True when a call succeeds, false when it fails with the error of a duplicate. */
async function unlessDuplicate(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    assert.equal((error as { number?: number }).number, 2627);
    return false;
  }
}

/** Runs a step on the server and on the model; both must say the same of its success. */
async function change(client: TestClient, model: SiteMap, now: Step): Promise<void> {
  switch (now.do) {
    case 'put': {
      const isStored = model.put({ ...now.reference });
      const answer = await put(client, now.reference.site, now.reference.path, values(now.reference));
      assert.equal(answer.length === 3, isStored);
      break;
    }
    case 'putDeleted': {
      const code = model.put({ ...now.reference, hidden: true }) ? 0 : 1;
      const { reference: given } = now;
      assert.deepEqual(await putDeleted(client, given.site, given.path, values(given)), [code]);
      break;
    }
    case 'drop':
      model.drop(now.site);
      await client.call(dropSiteMap, { Id: site(now.site) });
      break;
    case 'drop2':
      model.drop(now.site, now.database);
      await client.call(dropSiteMap2, { Id: site(now.site), DatabaseId: database(now.database) });
      break;
    case 'hide':
      model.hide(now.site, now.database);
      await hide(client, now.site, database(now.database));
      break;
    case 'unhide': {
      const call = unlessDuplicate(unhide(client, now.site, database(now.database)));
      assert.equal(await call, model.unhide(now.site, now.database));
      break;
    }
    case 'rename': {
      const call = unlessDuplicate(client.call(renameSiteMap, { SiteId: site(now.site), Path: now.path }));
      assert.equal(await call, model.rename(now.site, now.path));
    }
  }
}

const containers: readonly Container[] = [
  { application: null, database: null },
  { application: 1, database: null },
  { application: null, database: 2 },
  { application: 2, database: 2 },
];

const inContainer = ({ application: app, database: base }: Container) => ({
  ApplicationId: app === null ? null : application(app),
  DatabaseId: base === null ? null : database(base),
});

/** Asks the server and the model the same questions. */
async function compare(client: TestClient, model: SiteMap, prefixes: readonly string[]): Promise<void> {
  for (const base of [null, 1, 2, 3])
    assert.deepEqual(await count(client, base === null ? null : database(base)), [0, [[model.count(base)]]]);
  for (const [index, within] of containers.entries()) {
    for (const [at, prefix] of prefixes.entries()) {
      const type = (index + at) % 4;
      const scope = at % 3;
      const best = model.bestMatch(prefix, type, within, scope);
      const expected =
        best === undefined
          ? noMatch
          : [site(best.site), database(best.database), application(best.application), best.offset];
      const more = { ...inContainer(within), CollectionType: type, BestMatchOffsetScope: scope };
      assert.deepEqual(await bestMatch(client, prefix, more), expected);
    }
    const [start, descending] = [index, index % 2 === 1];
    const rows = await page(client, {
      ...inContainer(within),
      StartRow: start,
      PageSize: 3,
      SortDirection: descending ? 'DESC' : 'ASC',
      CollectionType: index % 3,
    });
    const expected = model.page(index % 3, within, start, 3, descending);
    assert.deepEqual(
      rows,
      expected.map(([number, at]) => [site(number), at]),
    );
  }
}

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 3.1.5.28: best matches, offsets, pages and counts are those of a sorted list, whatever happens', async () => {
    const runs = fc.tuple(
      fc.array(step, { minLength: 20, maxLength: 50 }),
      fc.array(path, { minLength: 4, maxLength: 6 }),
    );
    await fc.assert(
      fc.asyncProperty(runs, ([steps, prefixes]) =>
        withFarm(async ({ client }) => {
          const model = new SiteMap();
          for (const now of steps) await change(client, model, now);
          await compare(client, model, ['', ...prefixes]);
        }),
      ),
      { numRuns: engine === 'sqlite' ? 30 : 8 },
    );
  });
});
