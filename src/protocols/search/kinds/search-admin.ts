import { type Area, searchKind } from '../area.ts';
import { crawls } from '../crawls/area.ts';
import { queryLog } from '../query-log/area.ts';
import { schema } from '../schema/area.ts';
import { scopes } from '../scopes/area.ts';
import { settings } from '../settings/area.ts';
import { statusChanges } from '../status-changes/area.ts';
import { topology } from '../topology/area.ts';
import type { FirstStores } from '../topology/first-topology.ts';

/**
 * The areas of the administration database, of which a farm has one; without `stores` it is its own first store of
 * either kind.
 */
export const adminAreas = (stores?: FirstStores): readonly Area[] => [
  topology(stores),
  settings,
  schema,
  scopes,
  crawls,
  statusChanges,
  queryLog,
];

/** The search administration database (MS-SQLPGAT2). */
export const searchAdmin = searchKind({
  name: 'search-admin',
  firstDatabase: 'Search_Admin',
  areas: adminAreas({ crawl: 'Search_CrawlStore', property: 'Search_PropertyStore' }),
});
