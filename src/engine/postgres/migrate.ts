import type { Clock } from '../../base/clock.ts';
import type { Migration, Schema } from '../engine.ts';
import { EngineFault } from '../fault.ts';
import { type AppliedMigration, checksumOf, missingMigrations, nameOf, textFor } from '../migrations.ts';
import { quoted } from '../sql.ts';
import { postgresDdl } from './ddl.ts';
import { makeMarkers } from './groups/markers.ts';
import type { Link } from './wire/link.ts';

/** The advisory lock that a node holds while it creates or changes a schema. */
const migrationLock = 0x6772616e;

/** A PostgreSQL schema that is to be migrated to the current version. */
interface MigrationTarget {
  readonly database: string;
  readonly schema: string;
  readonly schemas: readonly Schema[];
}

/** Creates the schema if it is missing and applies the missing migrations, in one transaction; nodes take turns. */
export async function migrate(link: Link, target: MigrationTarget, clock: Clock): Promise<void> {
  const { database, schema, schemas } = target;
  const isWhole = await exists(link, schema);
  if (isWhole && missingMigrations(database, schemas, await applied(link)).length === 0) return;
  await inTransaction(link, async () => {
    if (!isWhole) await link.exec(foundation(schema));
    for (const migration of missingMigrations(database, schemas, await applied(link))) {
      await apply(link, migration, clock);
    }
  });
}

async function apply(link: Link, migration: Migration, clock: Clock): Promise<void> {
  try {
    await link.exec(postgresDdl(textFor('postgres', migration)));
  } catch (error) {
    throw new EngineFault(`Migration ${nameOf(migration)} failed.`, { cause: error });
  }
  await link.query({
    text: `insert into granary_migrations (area, number, name, checksum, applied)
           values ($1::text, $2::bigint, $3::text, $4::text, $5::bigint)`,
    parameters: [migration.area, migration.number, migration.name, checksumOf(migration), clock.now().getTime()],
  });
}

/** The tables of every schema; schemas of older releases get those that they lack. */
export function foundation(schema: string): string {
  return `
    create schema if not exists ${quoted(schema)};
    create table if not exists granary_migrations (
      area text not null, number bigint not null, name text not null, checksum text not null, applied bigint not null,
      primary key (area, number)
    );
    create table if not exists granary_gate ();
    ${makeMarkers}`;
}

async function exists(link: Link, schema: string): Promise<boolean> {
  const text = "select 1 from pg_tables where schemaname = $1::text and tablename = 'granary_commits'";
  const { rows } = await link.query({ text, parameters: [schema] });
  return rows.length > 0;
}

async function applied(link: Link): Promise<AppliedMigration[]> {
  const text = 'select area, number, name, checksum from granary_migrations order by area, number';
  const { rows } = await link.query({ text, parameters: [] });
  return rows.map(([area, number, name, checksum]) => ({
    area: String(area),
    number: Number(number),
    name: String(name),
    checksum: String(checksum),
  }));
}

async function inTransaction(link: Link, step: () => Promise<unknown>): Promise<void> {
  try {
    await link.exec(`begin; select pg_advisory_xact_lock(${migrationLock})`);
    await step();
    await link.exec('commit');
  } catch (error) {
    await link.rollback();
    throw error;
  }
}
