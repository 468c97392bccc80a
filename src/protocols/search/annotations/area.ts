import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';

/** Annotations of documents, and those that wait for an anchor crawl. */
export const annotations: Area = {
  procedures: [],
  relations: [],
  migrations: migrationsIn('search/annotations', new URL('./migrations/', import.meta.url)),
};
