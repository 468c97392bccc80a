import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { EngineFault } from '../fault.ts';
import type { AppliedMigration } from '../migrations.ts';
import { foldedName } from '../names.ts';
import { quoted } from '../sql.ts';
import { CopyOut } from './copy-out.ts';
import { connectAlone } from './find-server.ts';
import { type StoredSequence, sequencesFile, storedTables } from './stored-tables.ts';

/** A database as the snapshot sees it. */
interface SeenDatabase {
  readonly name: string;
  readonly kind: string;
  readonly place: string;
  readonly migrations: readonly AppliedMigration[];
  /** Copies its tables into files of a folder, and returns their names. */
  copyTo(folder: string, progress: (share: number) => void): Promise<string[]>;
}

/** The state of databases at one moment: a transaction that keeps its snapshot until it is disposed of. */
interface SeenMoment extends AsyncDisposable {
  readonly moment: Date;
  readonly databases: readonly SeenDatabase[];
}

/** Takes the state of all databases, or of one, at one moment, while nodes write to them. */
export async function seeMoment(url: string, only?: string, prefix = 'granary'): Promise<SeenMoment> {
  const client = await connectAlone(url, 'granary backup');
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now');
    const wanted = await wantedDatabases(client, prefix, only);
    const databases: SeenDatabase[] = [];
    for (const each of wanted) {
      databases.push({
        ...each,
        migrations: await migrationsOf(client, each.place),
        copyTo: (folder, progress) => copyTables(client, each.place, folder, progress),
      });
    }
    return { moment: rows[0]?.now ?? new Date(), databases, [Symbol.asyncDispose]: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
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

async function copyTables(client: pg.Client, schema: string, folder: string, progress: (share: number) => void) {
  const tables = await storedTables(client, schema);
  const files: string[] = [];
  for (const { name, columns } of tables) {
    const copy = new CopyOut(
      `copy ${quoted(schema)}.${quoted(name)} (${columns.map(quoted).join(', ')}) to stdout (format binary)`,
    );
    client.query(copy);
    await pipeline(Readable.from(copy.chunks(), { objectMode: false }), createWriteStream(join(folder, name)));
    files.push(name);
    progress(files.length / tables.length);
  }
  await writeFile(join(folder, sequencesFile), JSON.stringify(await sequencesOf(client, schema)));
  return [...files, sequencesFile];
}

async function sequencesOf(client: pg.Client, schema: string): Promise<StoredSequence[]> {
  const { rows } = await client.query<StoredSequence>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = $1 and last_value is not null order by sequencename`,
    [schema],
  );
  return rows;
}
