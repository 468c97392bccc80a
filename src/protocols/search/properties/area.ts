import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';
import { setCrawlComponentStatus } from './set-crawl-component-status.ts';

/** The property store: properties and security descriptors of documents. */
export const properties: Area = {
  procedures: [setCrawlComponentStatus],
  relations: [],
  migrations: migrationsIn('search/properties', new URL('./migrations/', import.meta.url)),
};
