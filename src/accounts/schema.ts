import type { Schema } from '../engine/engine.ts';
import { migrationsIn } from '../engine/migrations.ts';

/** The tables of logins and roles, in Granary's own database. */
export const accountsSchema: Schema = {
  kind: 'system',
  migrations: migrationsIn('accounts', new URL('./migrations/', import.meta.url)),
};
