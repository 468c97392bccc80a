import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';

/** What components read and write of anchors while an anchor crawl runs. */
export const anchors: Area = {
  procedures: [],
  relations: [],
  migrations: migrationsIn('search/anchors', new URL('./migrations/', import.meta.url)),
};
