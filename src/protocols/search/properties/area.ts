import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';

/** The property store: properties and security descriptors of documents. */
export const properties: Area = {
  procedures: [],
  relations: [],
  migrations: migrationsIn('search/properties', new URL('./migrations/', import.meta.url)),
};
