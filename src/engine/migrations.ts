import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Migration, Schema } from './engine.ts';
import { EngineFault } from './fault.ts';

/** Reads the numbered SQL files of one or more folders (`0001-jobs.sql`, …), in order and without a gap. */
export function migrationsIn(...folders: readonly URL[]): Migration[] {
  const migrations = folders.flatMap(filesIn).sort((one, other) => one.number - other.number);
  migrations.forEach(({ number }, index) => {
    if (number === index + 1) return;
    throw new EngineFault(`Migration ${index + 1} is missing or there twice in ${folders.join(' and ')}.`);
  });
  return migrations;
}

function filesIn(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => {
      const match = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(file);
      if (match === null) throw new EngineFault(`${file} is no name of a migration: it should be like 0001-jobs.sql.`);
      return { number: Number(match[1]), name: String(match[2]), text: readFileSync(new URL(file, folder), 'utf8') };
    });
}

/** A migration as a database remembers it. */
export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/** What a database remembers of a migration's text, so that a later change of the file is noticed. */
export function checksumOf(migration: Migration): string {
  return createHash('sha256').update(migration.text.replaceAll('\r\n', '\n')).digest('hex');
}

/** The migrations that a database still lacks; refuses one that a newer Granary has had, or whose past was rewritten. */
export function missingMigrations(database: string, schema: Schema, applied: readonly AppliedMigration[]): Migration[] {
  const known = new Map(schema.migrations.map((migration) => [migration.number, migration]));
  for (const { number, name, checksum } of applied) {
    const migration = known.get(number);
    if (migration === undefined) {
      throw new EngineFault(
        `The database ${database} was last opened by a newer Granary: it has migration ${number} (${name}) of ` +
          `${schema.kind}, and this Granary knows ${schema.migrations.length}. Start the newer Granary.`,
      );
    }
    if (checksumOf(migration) !== checksum) {
      throw new EngineFault(
        `Migration ${number} (${migration.name}) of ${schema.kind} is not the one that the database ${database} had ` +
          'applied: a migration never changes once it was released.',
      );
    }
  }
  const done = new Set(applied.map(({ number }) => number));
  return schema.migrations
    .filter(({ number }) => !done.has(number))
    .toSorted((one, other) => one.number - other.number);
}
