import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';

/** Crawls as the administration database sees them: their status and stages, who takes part, what is asked of them. */
export const crawls: Area = {
  procedures: [],
  relations: [],
  migrations: migrationsIn('search/crawls', new URL('./migrations/', import.meta.url)),
};
