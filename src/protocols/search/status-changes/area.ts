import { migrationsIn } from '../../../engine/migrations.ts';
import type { Area } from '../area.ts';

/** Requests to pause, to resume and to reset, and how far components are with them. */
export const statusChanges: Area = {
  procedures: [],
  relations: [],
  migrations: migrationsIn('search/status-changes', new URL('./migrations/', import.meta.url)),
};
