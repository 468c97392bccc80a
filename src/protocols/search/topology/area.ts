import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { topologyExtensions } from './extensions/index.ts';
import { type FirstStores, firstTopology } from './first-topology.ts';
import { getAllGathererDatabaseIDs } from './get-all-gatherer-database-ids.ts';
import { getAllPropertyStoreIDs } from './get-all-property-store-ids.ts';
import { getDatabaseID } from './get-database-id.ts';
import { getGathererDBs } from './get-gatherer-dbs.ts';
import { getHost } from './get-host.ts';
import { getMasterRole } from './get-master-role.ts';
import { topologyRelations } from './relations.ts';
import { updateDocCount } from './update-doc-count.ts';

/**
 * Which components and stores there are, which hosts they serve, and what is to be crawled; without `stores` it is its
 * own.
 */
export const topology = (stores?: FirstStores): Area => ({
  procedures: [
    getAllGathererDatabaseIDs,
    getAllPropertyStoreIDs,
    getDatabaseID,
    getGathererDBs,
    getHost,
    getMasterRole,
    updateDocCount,
    ...topologyExtensions,
  ],
  relations: topologyRelations,
  migrations: migrationsIn('search/topology', new URL('./migrations/', import.meta.url)),
  firstContents: (db, database) => firstTopology(db, stores ?? { crawl: database, property: database }),
});
