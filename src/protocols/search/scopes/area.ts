import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';

/** Scopes and their compilation. */
export const scopes: Area = {
  procedures: [],
  relations: [],
  migrations: migrationsIn('search/scopes', new URL('./migrations/', import.meta.url)),
};
