import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { type FirstStores, firstTopology } from './first-topology.ts';

/** Which components and stores there are, and what is to be crawled. */
export const topology = (stores: FirstStores): Area => ({
  procedures: [],
  relations: [],
  migrations: migrationsIn('search/topology', new URL('./migrations/', import.meta.url)),
  firstContents: (db) => firstTopology(db, stores),
});
