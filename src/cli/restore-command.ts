import { stat } from 'node:fs/promises';
import { accountsSchema } from '../accounts/schema.ts';
import { archivedFiles, verifiedManifest } from '../backup/archive-reader.ts';
import { BadArchive } from '../backup/bad-archive.ts';
import type { Manifest, StoredDatabase } from '../backup/manifest.ts';
import { holdsSomething, laidDown, restoreFolder } from '../backup/restore-folder.ts';
import { engineUrl } from '../create-engine.ts';
import type { Migration } from '../engine/engine.ts';
import { EngineFault } from '../engine/fault.ts';
import { missingMigrations } from '../engine/migrations.ts';
import { foldedName } from '../engine/names.ts';
import { Schemas } from '../engine/schemas.ts';
import { fileAt } from '../engine/sqlite/files.ts';
import { allKinds } from '../kinds.ts';
import type { Command, Invocation } from './command.ts';
import { withData } from './data.ts';
import { lockDataFolder } from './data-lock.ts';
import { OperatorError } from './errors.ts';
import { ProgressBar } from './progress.ts';

/** `granary restore`: what `granary backup` wrote. */
export const restoreCommand: Command = {
  name: 'restore',
  args: ['FILE'],
  summary: 'Lays down what `granary backup` wrote, in a new or an empty place, after it has checked all of it.',
  details: [
    'All databases and logins go into a folder, or a PostgreSQL, that holds no data; with --force into one that does and that no ' +
      'server uses: a folder’s old data is moved aside inside it, a PostgreSQL’s is dropped.',
    'With --database, one database joins the data that is there, while the server runs; --force drops the one of that name first.',
  ],
  flags: {
    database: { placeholder: 'NAME', help: 'Only this database.' },
    force: { placeholder: '', help: 'Replaces what is there.', bare: true },
  },
  settings: ['all'],
  async run(invocation) {
    const {
      args: [file = ''],
      flags,
      settings,
      world,
    } = invocation;
    try {
      const manifest = await checked(file, invocation);
      const only = flags.get('database') ?? (manifest.whole ? undefined : manifest.databases[0]?.name);
      if (only === undefined) await restoreAll(file, manifest, invocation);
      else await restoreOne(file, manifest, only, invocation);
      const where = settings.engine === 'sqlite' ? settings.data : 'PostgreSQL';
      world.stdout.write(`${only ?? 'Everything'} as of ${manifest.moment} is in ${where}.\n`);
    } catch (error) {
      if (error instanceof BadArchive || error instanceof EngineFault)
        throw new OperatorError(error.message, { cause: error });
      throw error;
    }
  },
};

async function checked(file: string, { settings, world }: Invocation): Promise<Manifest> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw new OperatorError(`There is no file ${file}.`);
  using bar = new ProgressBar(world.stderr);
  let bytes = 0;
  const manifest = await verifiedManifest(file, (more) => {
    bytes += more;
    bar.show(`checking, ${Math.floor(bytes / 1024 ** 2)} MB`, 0.99);
  });
  const engine = settings.engine === 'sqlite' ? 'sqlite' : 'postgres';
  if (manifest.engine !== engine) {
    throw new OperatorError(`${file} is of ${manifest.engine} and cannot be restored into ${engine}.`);
  }
  for (const database of manifest.databases) recorded(database);
  return manifest;
}

/** The migrations that a stored database has had; refuses one of a newer Granary. */
function recorded({ name, kind, migrations }: StoredDatabase): Migration[] {
  const schemas = new Schemas([accountsSchema, ...allKinds.map(({ schema }) => schema)]);
  const known = kind === accountsSchema.kind ? schemas.system : schemas.of(kind);
  const missing = new Set(missingMigrations(name, known, migrations));
  return known.flatMap((schema) => schema.migrations).filter((migration) => !missing.has(migration));
}

async function restoreAll(file: string, manifest: Manifest, { settings, flags, world }: Invocation): Promise<void> {
  const isForced = flags.has('force');
  const now = new Date();
  if (settings.engine !== 'sqlite') return restorePostgres(file, manifest, engineUrl(settings), isForced, now);
  const { data } = settings;
  if ((await holdsSomething(data)) && !isForced) {
    throw new OperatorError(
      `${data} is not empty. Name another folder with --data, or replace what is there with --force.`,
    );
  }
  using _ = await lockDataFolder(data).catch((error: unknown) => {
    throw new OperatorError(error instanceof Error ? error.message : String(error));
  });
  const replaced = await restoreFolder(file, manifest, data, now);
  if (replaced !== undefined) world.stdout.write(`What was there before is in ${replaced}.\n`);
}

async function restorePostgres(
  file: string,
  manifest: Manifest,
  url: string,
  isForced: boolean,
  now: Date,
): Promise<void> {
  const { PostgresRestore } = await import('../engine/postgres/restore.ts');
  const { restoreInto } = await import('../backup/restore-postgres.ts');
  await using restore = await PostgresRestore.begin(url);
  if (await restore.isThere()) {
    if (!isForced) throw new OperatorError('There is a Granary in this PostgreSQL already; --force replaces it.');
    if (await restore.isServed())
      throw new OperatorError('Another Granary serves the data in this PostgreSQL. Stop it first.');
    await restore.clear();
  }
  const targetOf = (database: StoredDatabase) => ({ place: database.place, migrations: recorded(database) });
  await restoreInto(restore, file, manifest, targetOf, now);
  await restore.commit();
}

async function restoreOne(
  file: string,
  manifest: Manifest,
  only: string,
  { settings, flags }: Invocation,
): Promise<void> {
  const stored = manifest.databases.find(({ name }) => foldedName(name) === foldedName(only));
  if (stored === undefined || stored.kind === accountsSchema.kind) {
    throw new OperatorError(`There is no database ${only} in ${file}.`);
  }
  const put =
    settings.engine === 'sqlite'
      ? fileFrom(file, stored, settings.data)
      : schemaFrom(file, manifest, stored, engineUrl(settings));
  await withData(
    settings,
    async ({ engine }) => {
      const isThere = (await engine.list()).some(({ name }) => foldedName(name) === foldedName(stored.name));
      if (isThere && !flags.has('force')) {
        throw new OperatorError(`There is a database ${stored.name} already; --force drops it first.`);
      }
      if (isThere) await engine.drop(stored.name);
      await engine.adopt(stored.name, stored.kind, put);
    },
    { mayCreate: true },
  );
}

const fileFrom = (file: string, stored: StoredDatabase, data: string) => async (place: string) => {
  for await (const each of archivedFiles(file)) {
    if (each.path === `databases/${stored.place}/database`) await laidDown(each, fileAt(data, place));
  }
};

const schemaFrom = (file: string, manifest: Manifest, stored: StoredDatabase, url: string) => async (place: string) => {
  const { PostgresRestore } = await import('../engine/postgres/restore.ts');
  const { restoreInto } = await import('../backup/restore-postgres.ts');
  await using restore = await PostgresRestore.begin(url);
  const targetOf = (database: StoredDatabase) =>
    database === stored ? { place, migrations: recorded(database) } : undefined;
  await restoreInto(restore, file, manifest, targetOf, new Date());
  await restore.commit();
};
