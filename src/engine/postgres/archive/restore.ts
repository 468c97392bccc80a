import type pg from 'pg';
import type { Migration } from '../../engine.ts';
import { checksumOf, textFor } from '../../migrations.ts';
import { quoted } from '../../sql.ts';
import { parseAddress } from '../connect/address.ts';
import { connectAlone } from '../connect/find-server.ts';
import { usualName } from '../connect/open-session.ts';
import { CopyIn, copyDataHeader } from '../copy/copy-in.ts';
import { postgresDdl } from '../ddl.ts';
import { foundation } from '../migrate.ts';
import { migrationsTable, type StoredSequence, storedTables } from './stored-tables.ts';

/** Restores databases into a PostgreSQL in one transaction: completely or not at all. */
export class PostgresRestore implements AsyncDisposable {
  readonly #client: pg.Client;
  #columns = new Map<string, readonly string[]>();

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  static async begin(url: string): Promise<PostgresRestore> {
    const { client } = await connectAlone(parseAddress(url), 'granary restore');
    await client.query('begin');
    return new PostgresRestore(client);
  }

  /** Whether this PostgreSQL database contains a Granary. */
  async hasGranary(prefix = 'granary'): Promise<boolean> {
    const { rows } = await this.#client.query('select 1 from pg_namespace where nspname = $1', [prefix]);
    return rows.length > 0;
  }

  /**
   * Whether a server uses this PostgreSQL, which is recognisable by its upkeep every half minute. A pooler keeps
   * sessions of servers that are gone.
   */
  async isServed(): Promise<boolean> {
    const { rows } = await this.#client.query(`
      select from pg_stat_activity
      where datname = current_database() and application_name = '${usualName}'
        and coalesce(state_change, backend_start) > clock_timestamp() - interval '2 minutes'
      limit 1`);
    return rows.length > 0;
  }

  /** Drops the existing Granary with all its databases. */
  async clear(prefix = 'granary'): Promise<void> {
    const { rows } = await this.#client.query<{ place: string }>(
      `select place from ${quoted(prefix)}.granary_databases`,
    );
    for (const place of [...rows.map((row) => row.place), prefix]) await this.remove(place);
  }

  /** Drops the schema of one database if it exists. */
  async remove(place: string): Promise<void> {
    await this.#client.query(`drop schema if exists ${quoted(place)} cascade`);
  }

  /** Creates the empty tables of a database as they were when it was backed up. */
  async prepare(schema: string, migrations: readonly Migration[], now: Date): Promise<void> {
    await this.#client.query(`create schema if not exists ${quoted(schema)}`);
    await this.#client.query(`set local search_path to ${quoted(schema)}`);
    await this.#client.query(foundation(schema));
    for (const migration of migrations) {
      await this.#client.query(postgresDdl(textFor('postgres', migration)));
      const { area, number, name } = migration;
      await this.#client.query(
        'insert into granary_migrations (area, number, name, checksum, applied) values ($1, $2, $3, $4, $5)',
        [area, number, name, checksumOf(migration), now.getTime()],
      );
    }
    const tables = (await storedTables(this.#client, schema)).filter(({ name }) => name !== migrationsTable);
    this.#columns = new Map(tables.map(({ name, columns }) => [name, columns]));
    // Migrations insert initial rows into some tables.
    const names = tables.map(({ name }) => quoted(name)).join(', ');
    if (names !== '') await this.#client.query(`truncate ${names} cascade`);
  }

  /** Creates the empty tables of a database with statements from pg_restore; if they fail, none of them remain. */
  async make(schema: string, text: string): Promise<void> {
    await this.#client.query('savepoint made');
    try {
      await this.#client.query(text);
    } catch (error) {
      await this.#client.query('rollback to made');
      throw error;
    }
    await this.#client.query(`set local search_path to ${quoted(schema)}`);
  }

  /** Creates what comes after the rows: indexes and constraints. */
  async finish(text: string): Promise<void> {
    await this.#client.query(text);
  }

  /** Loads a table of the most recently prepared database. */
  async fill(table: string, content: AsyncIterable<Buffer>): Promise<void> {
    const columns = this.#columns.get(table);
    if (columns === undefined) throw new Error(`There is no table ${table} to restore.`);
    await this.fillAs(table, columns, 'binary', content);
  }

  /** Loads a table from rows in the order of its columns. */
  async fillAs(
    table: string,
    columns: readonly string[],
    format: 'binary' | 'text',
    content: AsyncIterable<Buffer>,
  ): Promise<void> {
    const copy = new CopyIn(`copy ${quoted(table)} (${columns.map(quoted).join(', ')}) from stdin (format ${format})`);
    this.#client.query(copy);
    await copy.send(withRoom(content));
  }

  /** The major version of the PostgreSQL that is restored into. */
  async major(): Promise<number> {
    const { rows } = await this.#client.query<{ major: number }>(
      "select current_setting('server_version_num')::int / 10000 as major",
    );
    return rows[0]?.major ?? 0;
  }

  /** Sets the sequences to their previous positions. */
  async number(sequences: readonly StoredSequence[]): Promise<void> {
    for (const { name, last } of sequences)
      await this.#client.query('select setval($1::regclass, $2)', [quoted(name), last]);
  }

  /** Commits everything. */
  async commit(): Promise<void> {
    await this.#client.query('commit');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}

/** Adds the unused bytes at the start of chunks that the wire format requires. */
async function* withRoom(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of content) yield Buffer.concat([Buffer.alloc(copyDataHeader), chunk]);
}
