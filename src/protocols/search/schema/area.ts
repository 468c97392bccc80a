import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';

/** Managed and crawled properties and their mappings. */
export const schema: Area = {
  procedures: [],
  relations: [],
  migrations: migrationsIn('search/schema', new URL('./migrations/', import.meta.url)),
};
