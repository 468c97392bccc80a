import { randomUUID } from 'node:crypto';
import type { Bindable } from '../../../src/base/stored.ts';
import type { Database } from '../../../src/engine/db.ts';
import { sql } from '../../../src/engine/sql.ts';
import { rebuildRanks } from '../../../src/protocols/config/site-map/ranks/rebuild.ts';
import { referenceOf } from '../../../src/protocols/config/site-map/site-reference.ts';

/** Web applications and the content databases of each. */
const applications = Array.from({ length: 4 }, () => randomUUID());
const databases = applications.map(() => Array.from({ length: 10 }, () => randomUUID()));

/** Rows in one transaction. */
const rowsInAStep = 50_000;

const columns = [
  'id',
  'database_id',
  'application_id',
  'subscription_id',
  'path',
  'path_key',
  'path_order',
  'id_order',
  'pairing',
  'redirect_url',
  'host_header_is_site_name',
  'redirects',
  'upgraded',
  'deletion_time',
];

/** The path of site n: the number's digits backwards, so that neighbours in number are not neighbours in path. */
export const pathOf = (n: number): string => `/sites/team-${String(n).split('').reverse().join('')}`;

/** One of the Web applications. */
export const someApplication = (n: number): string => applications[n % applications.length] ?? '';

/** Fills the site map with sites 1 to `sites`, past the procedures: one in fifty redirects, one in thirty was upgraded. */
export async function fillSites(database: Database, sites: number): Promise<void> {
  // A dozen indexes in random order: they are to stay in memory until the last row is in.
  await database.write((db) => db.run(sql`pragma cache_size = -2000000`));
  for (let first = 1; first <= sites; first += rowsInAStep) {
    const last = Math.min(sites, first + rowsInAStep - 1);
    await database.write((db) => db.insert('site_map', columns, rows(first, last)));
  }
  await database.write((db) => rebuildRanks(db), { serial: true });
}

function* rows(first: number, last: number): Generator<readonly Bindable[]> {
  for (let n = first; n <= last; n++) {
    const site = referenceOf({
      ApplicationId: someApplication(n),
      DatabaseId: databases[n % applications.length]?.[n % 10] ?? null,
      SiteId: randomUUID(),
      SubscriptionId: null,
      Path: pathOf(n),
      Pairing: n % 30 === 0 ? 1 : 0,
      RedirectUrl: n % 50 === 0 ? '/elsewhere' : null,
      HostHeaderIsSiteName: false,
    });
    if (site === undefined) throw new Error('a site lacks a value');
    yield [
      site.Id,
      site.DatabaseId,
      site.ApplicationId,
      site.SubscriptionId,
      site.Path,
      site.PathKey,
      site.PathOrder,
      site.IdOrder,
      site.Pairing,
      site.RedirectUrl,
      site.HostHeaderIsSiteName,
      site.Redirects,
      site.Upgraded,
      null,
    ];
  }
}
