import type { Schema } from '../../engine/engine.ts';
import { migrationsIn } from '../../engine/migrations.ts';

/**
 * Workers finish one item here and one there, each an update of one row. 32 of them that finish any of a million items:
 * 17,600 calls a second with these pages, 15,700 with those of 4,096 bytes (2026-11-15).
 */
const pageSize = 2048;

/** The tables of a database of jobs: those that all share, and what a protocol's own migrations add. */
export function jobSchema(kind: string, own: URL): Schema {
  const shared = migrationsIn('jobs', new URL('./migrations/', import.meta.url));
  return { kind, migrations: [...shared, ...migrationsIn(kind, own)], pageSize };
}
