import type { Schema } from '../../engine/engine.ts';
import { migrationsIn } from '../../engine/migrations.ts';

/** The tables of a database of jobs: those that all share, and what a protocol's own migrations add. */
export function jobSchema(kind: string, own: URL): Schema {
  return { kind, migrations: migrationsIn(new URL('./migrations/', import.meta.url), own) };
}
