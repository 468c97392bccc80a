import type { Clock } from '../../base/clock.ts';
import type { Migration, Schema } from '../engine.ts';
import { EngineFault } from '../fault.ts';
import { type AppliedMigration, checksumOf, missingMigrations, nameOf, textFor } from '../migrations.ts';
import type { Connection } from './connection.ts';

/**
 * Applies the missing migrations of a schema to a file in one transaction; two processes that open it at the same time
 * do not conflict.
 */
export function migrate(connection: Connection, database: string, schemas: readonly Schema[], clock: Clock): void {
  connection.exec('pragma synchronous = full');
  // Checks the table first: opening a migrated file must not wait for a writer.
  const isNew = !hasTable(connection);
  if (isNew || missingMigrations(database, schemas, applied(connection)).length > 0) {
    connection.exec('begin immediate');
    try {
      if (isNew) connection.exec(ownTable);
      for (const migration of missingMigrations(database, schemas, applied(connection))) {
        apply(connection, migration, clock);
      }
      connection.exec('commit');
    } catch (error) {
      if (connection.inTransaction) connection.exec('rollback');
      throw error;
    }
  }
  connection.exec('pragma synchronous = normal');
}

/** Whether a database created by an earlier release has to be migrated. */
export function lacksMigrations(connection: Connection, database: string, schemas: readonly Schema[]): boolean {
  return hasTable(connection) && missingMigrations(database, schemas, applied(connection)).length > 0;
}

const ownTable = `
  create table if not exists granary_migrations (
    area text not null, number bigint not null, name text not null, checksum text not null, applied bigint not null,
    primary key (area, number)
  ) without rowid`;

function apply(connection: Connection, migration: Migration, clock: Clock): void {
  try {
    connection.exec(textFor('sqlite', migration));
  } catch (error) {
    throw new EngineFault(`Migration ${nameOf(migration)} failed.`, { cause: error });
  }
  connection
    .prepare('insert into granary_migrations (area, number, name, checksum, applied) values (?, ?, ?, ?, ?)')
    .run(migration.area, migration.number, migration.name, checksumOf(migration), clock.now().getTime());
}

function hasTable(connection: Connection): boolean {
  const text = "select 1 from sqlite_schema where type = 'table' and name = 'granary_migrations'";
  return connection.prepare(text).get() !== undefined;
}

function applied(connection: Connection): AppliedMigration[] {
  return connection
    .prepare('select area, number, name, checksum from granary_migrations order by area, number')
    .all()
    .map((row) => ({
      area: String(row['area']),
      number: Number(row['number']),
      name: String(row['name']),
      checksum: String(row['checksum']),
    }));
}
