import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Migration, Schema } from './engine.ts';
import { Damage, EngineFault, Newer } from './fault.ts';

/**
 * Reads the numbered SQL files of an area's folder (`0001-jobs.sql`, …), in order and without a gap. Each area has its
 * own numbering, so one that several kinds share can grow independently of what they add to it.
 */
export function migrationsIn(area: string, folder: URL): Migration[] {
  const migrations = filesIn(area, folder).sort((one, other) => one.number - other.number);
  migrations.forEach(({ number }, index) => {
    if (number === index + 1) return;
    throw new EngineFault(`Migration ${index + 1} is missing or exists twice in ${folder}.`);
  });
  return migrations;
}

function filesIn(area: string, folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => {
      const match = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(file);
      if (match === null)
        throw new EngineFault(`${file} is not a valid name for a migration: it should look like 0001-jobs.sql.`);
      const text = readFileSync(new URL(file, folder), 'utf8');
      return { area, number: Number(match[1]), name: String(match[2]), text };
    });
}

const only = /^-- only (sqlite|postgres)\n([\s\S]*?)^-- end\n/gm;

/**
 * The text of a migration for one engine: sections between `-- only ENGINE` and `-- end` are removed unless ENGINE is
 * that engine.
 */
export const textFor = (engine: 'sqlite' | 'postgres', { text }: Migration): string =>
  text.replaceAll('\r\n', '\n').replace(only, (_, meant, part) => (meant === engine ? part : ''));

/** A migration as recorded in a database. */
export interface AppliedMigration {
  readonly area: string;
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
}

/** The checksum recorded with an applied migration, so that a later change of its file is detected. */
export function checksumOf(migration: Migration): string {
  return createHash('sha256').update(migration.text.replaceAll('\r\n', '\n')).digest('hex');
}

/** How messages refer to a migration. */
export const nameOf = ({ area, number, name }: Omit<Migration, 'text'>): string => `${number} (${name}) of ${area}`;

/** True if two migrations have the same area and number. */
const isSame = (one: Omit<Migration, 'text'>, other: Omit<Migration, 'text'>): boolean =>
  one.area === other.area && one.number === other.number;

/**
 * The migrations that a database still lacks, area by area. Refuses a database that a newer Granary has migrated, or
 * whose migration history does not match the files.
 */
export function missingMigrations(
  database: string,
  schemas: readonly Schema[],
  applied: readonly AppliedMigration[],
): Migration[] {
  const known = schemas.flatMap(({ migrations }) => migrations);
  for (const done of applied) {
    const migration = known.find((one) => isSame(one, done));
    if (migration === undefined) {
      throw new Newer(
        `The database ${database} was last opened by a newer Granary: it has migration ${nameOf(done)}, which this ` +
          'Granary does not know. Start the newer Granary.',
      );
    }
    if (checksumOf(migration) !== done.checksum) {
      throw new Damage(
        `Migration ${nameOf(migration)} differs from the one applied to the database ${database}: a migration must not ` +
          'change once it has been released.',
      );
    }
  }
  return known.filter((migration) => !applied.some((done) => isSame(migration, done)));
}
