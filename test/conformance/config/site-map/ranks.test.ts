import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Db } from '../../../../src/engine/db.ts';
import { sql } from '../../../../src/engine/sql.ts';
import { config } from '../../../../src/protocols/config/kind.ts';
import { collectionType } from '../../../../src/protocols/config/site-map/collection-type.ts';
import { dropReferences } from '../../../../src/protocols/config/site-map/live-sites.ts';
import { addToRanks } from '../../../../src/protocols/config/site-map/ranks/change.ts';
import { countBefore } from '../../../../src/protocols/config/site-map/ranks/count-before.ts';
import { rebuildRanks } from '../../../../src/protocols/config/site-map/ranks/rebuild.ts';
import { seek } from '../../../../src/protocols/config/site-map/ranks/seek.ts';
import { liveIn, type Scope, sortColumn, type Tree } from '../../../../src/protocols/config/site-map/ranks/tree.ts';
import {
  insertReference,
  referenceOf,
  type SiteReference,
} from '../../../../src/protocols/config/site-map/site-reference.ts';
import { int, nvarchar } from '../../../../src/tds/types/index.ts';
import { forEachEngine, openEngine } from '../../../support/engines.ts';
import { guid } from '../farm.ts';

/** So small that a few dozen references make many rows on both levels. */
const capacity = { leaf: 3, group: 3 };
const applications = [guid('a', 1), guid('a', 2)];
const databases = [guid('d', 1), guid('d', 2), guid('d', 3)];
const trees: Tree[] = [
  { within: 'farm' },
  ...applications.map((id): Scope => ({ within: 'application', id })),
  ...databases.map((id): Scope => ({ within: 'database', id })),
].flatMap((scope): Tree[] => [
  { order: 'path', scope: scope as Scope },
  { order: 'id', scope: scope as Scope },
]);

/** A reference made of small numbers, so that paths and containers repeat. */
function reference(number: number): SiteReference {
  const site = referenceOf({
    ApplicationId: applications[number % 2] ?? null,
    DatabaseId: databases[number % 3] ?? null,
    SiteId: guid('5', number),
    SubscriptionId: null,
    Path: `/sites/${String.fromCharCode(97 + ((number * 7) % 26))}${number % 4 === 0 ? '' : number}`,
    Pairing: number % 7 === 0 ? 1 : 0,
    RedirectUrl: number % 3 === 0 ? '/elsewhere' : null,
    HostHeaderIsSiteName: number % 4 === 0,
  });
  if (site === undefined) throw new Error('a reference needs its values');
  return { ...site, PathKey: `${site.PathKey}#${number}` };
}

const belongs = ({ scope }: Tree, site: SiteReference) =>
  scope.within === 'farm' || (scope.within === 'application' ? site.ApplicationId : site.DatabaseId) === scope.id;
const keyOf = ({ order }: Tree, site: SiteReference) => (order === 'path' ? site.PathOrder : site.IdOrder);
const ofType: readonly ((site: SiteReference) => boolean)[] = [
  () => true,
  (site) => site.Redirects,
  (site) => !site.Redirects,
  (site) => site.Upgraded,
];

/** Every position of every tree and type, compared with a sorted list. */
async function assertRanks(db: Db, live: readonly SiteReference[]): Promise<void> {
  for (const tree of trees) {
    for (const [value, isOfType] of ofType.entries()) {
      const type = collectionType(value);
      assert.ok(type);
      const keys = live
        .filter((site) => belongs(tree, site) && isOfType(site))
        .map((site) => keyOf(tree, site))
        .sort();
      for (const [index, key] of keys.entries()) {
        assert.equal(await countBefore(db, tree, type, key), index);
        for (const direction of ['ascending', 'descending'] as const) {
          const fromEnd = direction === 'ascending' ? index : keys.length - 1 - index;
          const place = await seek(db, tree, type, fromEnd, direction);
          assert.ok(place && place.low <= key && key < place.high, 'the stretch holds the key');
          const before = keys.filter((other) =>
            direction === 'ascending' ? place.low <= other && other < key : key < other && other < place.high,
          );
          assert.equal(place.skip, before.length);
        }
      }
      assert.equal(await seek(db, tree, type, keys.length, 'ascending'), undefined);
      assert.equal(await seek(db, tree, type, keys.length, 'descending'), undefined);
    }
  }
}

const text = nvarchar('max');

/** No row may count more than it should, and what it counts must be there. */
async function assertRows(db: Db, live: readonly SiteReference[]): Promise<void> {
  for (const tree of trees) {
    const name = tree.scope.within === 'farm' ? tree.order : `${tree.order}/${tree.scope.within}/${tree.scope.id}`;
    const rows = await db.all(
      { Level: int, Low: text, Sites: int },
      sql`select level as "Level", low as "Low", sites as "Sites" from site_ranks where tree = ${name} order by level, low`,
    );
    const expected = live.filter((site) => belongs(tree, site)).length;
    for (const level of [0, 1]) {
      const own = rows.filter((row) => row.Level === level);
      assert.equal(
        own.reduce((sum, row) => sum + row.Sites, 0),
        expected,
      );
      if (level === 0) for (const { Sites } of own) assert.ok(Sites <= capacity.leaf);
    }
    const stored = await db.all(
      { Key: text },
      sql`select ${sortColumn[tree.order]} as "Key" from site_map where ${liveIn(tree.scope)}`,
    );
    assert.equal(stored.length, expected);
  }
}

forEachEngine((engine) => {
  test('MS-WSSCFGD2 3.1.5.28: positions in the orders are those of a sorted list, whatever comes and goes', async () => {
    await using opened = await openEngine(engine, { schemas: [config.schema] });
    const numbers = fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 60 })), { minLength: 30, maxLength: 90 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(numbers, async (steps) => {
        const database = await opened.create(`run${++run}`, 'config');
        const live = new Map<number, SiteReference>();
        await database.write(
          async (db) => {
            live.clear();
            for (const [drop, number] of steps) {
              const present = live.get(number);
              if (present !== undefined && drop) {
                await dropReferences(db, present.Id, present.DatabaseId);
                live.delete(number);
              } else if (present === undefined) {
                const site = reference(number);
                await insertReference(db, site, null);
                await addToRanks(db, site, capacity);
                live.set(number, site);
              }
            }
            await assertRows(db, [...live.values()]);
          },
          { serial: true },
        );
        await database.read((db) => assertRanks(db, [...live.values()]));
        await opened.drop(`run${run}`);
      }),
      { numRuns: engine === 'sqlite' ? 15 : 4 },
    );
  });

  test('MS-WSSCFGD2 3.1.5.28: ranks that are made anew tell the same positions', async () => {
    await using opened = await openEngine(engine, { schemas: [config.schema] });
    const database = await opened.create('rebuilt', 'config');
    const sites = Array.from({ length: 40 }, (_, number) => reference(number));
    await database.write(
      async (db) => {
        for (const site of sites) await insertReference(db, site, null);
        await rebuildRanks(db);
      },
      { serial: true },
    );
    await database.read((db) => assertRanks(db, sites));
  });
});
