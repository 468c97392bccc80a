import type pg from 'pg';
import { EngineFault } from '../../fault.ts';
import type { AppliedMigration } from '../../migrations.ts';
import { foldedName } from '../../names.ts';
import { quoted } from '../../sql.ts';
import { type Address, parseAddress } from '../connect/address.ts';
import { connectAlone } from '../connect/find-server.ts';
import { TableReader } from './table-reader.ts';
import { type Found, findTool } from './tools.ts';

/** A database as the snapshot sees it. */
interface SeenDatabase {
  readonly name: string;
  readonly kind: string;
  readonly place: string;
  readonly migrations: readonly AppliedMigration[];
  /** Copies its tables into files of a folder, and returns their names. */
  copyTo(folder: string, progress: (share: number) => void, signal: AbortSignal): Promise<string[]>;
}

/** The state of databases at one point in time: a transaction that keeps its snapshot until it is disposed of. */
interface SeenMoment extends AsyncDisposable {
  readonly moment: Date;
  readonly databases: readonly SeenDatabase[];
  /** Which program read the tables. */
  how(): string;
}

/**
 * Takes a consistent snapshot of all databases, or of one, while nodes keep writing; `tools` is where pg_dump is looked
 * for.
 */
export async function seeMoment(
  url: string,
  { only, tools }: { readonly only?: string | undefined; readonly tools?: string | undefined },
  prefix = 'granary',
): Promise<SeenMoment> {
  const address = parseAddress(url);
  const session = await connectAlone(address, 'granary backup');
  const { client } = session;
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ now: Date; major: number }>(
      "select clock_timestamp() as now, current_setting('server_version_num')::int / 10000 as major",
    );
    const { now = new Date(), major = 0 } = rows[0] ?? {};
    const reader = new TableReader({ address, session }, await dumpProgram(major, address, tools));
    const databases: SeenDatabase[] = [];
    for (const each of await wantedDatabases(client, prefix, only)) {
      databases.push({
        ...each,
        migrations: await migrationsOf(client, each.place),
        copyTo: (folder, progress, signal) => reader.copyTo(each.place, folder, progress, signal),
      });
    }
    const end = () => client.end();
    return { moment: now, databases, how: () => reader.how(), [Symbol.asyncDispose]: end };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** A pg_dump that supports this server (an older one never does) and every setting of the URL. */
async function dumpProgram(major: number, { tls }: Address, tools: string | undefined): Promise<Found> {
  if (tls.sslpassword !== undefined) return { lack: 'it cannot be given the sslpassword of the URL' };
  return findTool('pg_dump', tools, (own) => (own < major ? `is older than PostgreSQL ${major}` : undefined));
}

async function wantedDatabases(client: pg.Client, prefix: string, only: string | undefined) {
  const { rows } = await client.query<{ name: string; kind: string; place: string }>(
    `select name, kind, place from ${quoted(prefix)}.granary_databases where dropped is null and ready = 1 order by folded`,
  );
  if (only === undefined) return [{ name: 'granary', kind: 'system', place: prefix }, ...rows];
  const found = rows.filter(({ name }) => foldedName(name) === foldedName(only));
  if (found.length === 0) throw new EngineFault(`There is no database ${only}.`);
  return found;
}

async function migrationsOf(client: pg.Client, schema: string): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `select area, number::int as number, name, checksum from ${quoted(schema)}.granary_migrations order by area, number`,
  );
  return rows;
}
