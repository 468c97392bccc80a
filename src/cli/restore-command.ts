import { existsSync } from 'node:fs';
import { access, constants, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { accountsSchema } from '../accounts/schema.ts';
import { archivedFiles, type ReadProgress, verifiedManifest } from '../backup/archive-reader.ts';
import { BadArchive } from '../backup/bad-archive.ts';
import type { Manifest, StoredDatabase } from '../backup/manifest.ts';
import { holdsSomething, laidDown, restoreFolder } from '../backup/restore-folder.ts';
import { makePrivateFile } from '../base/private-files.ts';
import { engineUrl } from '../create-engine.ts';
import type { Migration } from '../engine/engine.ts';
import { EngineFault } from '../engine/fault.ts';
import { missingMigrations } from '../engine/migrations.ts';
import { foldedName } from '../engine/names.ts';
import type { PostgresRestore } from '../engine/postgres/archive/restore.ts';
import { Schemas } from '../engine/schemas.ts';
import { fileAt, filesAt, usersFile } from '../engine/sqlite/files/files.ts';
import { LockFile } from '../engine/sqlite/files/lock-file.ts';
import { allKinds } from '../kinds.ts';
import type { Command, Invocation } from './command.ts';
import { withData } from './data.ts';
import { lockDataFolder } from './data-lock.ts';
import { codeOf, isOutOfRoom, OperatorError } from './errors.ts';
import { explained } from './explain.ts';
import { postgresFault } from './postgres-fault.ts';
import { toolsFlag } from './postgres-tools.ts';
import { ProgressBar } from './progress.ts';

/** `granary restore`: what `granary backup` wrote. */
export const restoreCommand: Command = {
  name: 'restore',
  args: ['FILE'],
  summary: 'Restores what `granary backup` wrote into an empty place, after verifying all of it.',
  details: [
    'All databases and logins are restored into a folder or PostgreSQL database that is empty; with --force into one that is ' +
      'not, provided that no server uses it: the old data of a folder is moved aside inside it, that of PostgreSQL is dropped.',
    'With --database, one database is added to the existing data while the server is running; --force replaces the one of that name.',
  ],
  flags: {
    database: { placeholder: 'NAME', help: 'Only this database.' },
    force: { placeholder: '', help: 'Replace existing data.', bare: true },
    tools: toolsFlag,
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
      using bar = new ProgressBar(world.stderr);
      const manifest = await checked(file, invocation, (share) => bar.show(`verifying ${file}`, share));
      const only = flags.get('database') ?? (manifest.whole ? undefined : manifest.databases[0]?.name);
      const task: Task = { ...invocation, file, manifest, progress: (share) => bar.show('restoring', share) };
      const told = only === undefined ? await restoreAll(task) : await restoreOne(task, only);
      bar.show('', 1);
      const where = settings.engine === 'sqlite' ? settings.data : 'PostgreSQL';
      world.stdout.write(`${only ?? 'Everything'} as of ${manifest.moment} is in ${where}.\n${told}`);
    } catch (error) {
      if (isOutOfRoom(error))
        throw new OperatorError(
          `There is not enough space in ${settings.data} for the contents of ${file}. Free some space and restore again.`,
          {
            cause: error,
          },
        );
      if (error instanceof BadArchive && !error.message.includes(file))
        throw new OperatorError(`${file} is not a complete backup: ${error.message}`, { cause: error });
      if (error instanceof BadArchive || error instanceof EngineFault)
        throw new OperatorError(error.message, { cause: error });
      throw (settings.engine === 'sqlite' ? undefined : await postgresFault(error, lines)) ?? error;
    }
  },
};

const lines = {
  before: 'the restore was confirmed',
  afterLoss: 'All of it is there, or nothing; restore again',
  refused: 'what was to be restored',
  afterRefusal: 'What was there before is there still',
};

/** A restore of an archive that is whole. */
interface Task extends Invocation {
  readonly file: string;
  readonly manifest: Manifest;
  readonly progress: ReadProgress;
}

async function checked(file: string, { settings }: Invocation, progress: ReadProgress): Promise<Manifest> {
  const found = await stat(file).catch(codeOf);
  const refusal = typeof found === 'object' ? await access(file, constants.R_OK).catch(codeOf) : found;
  if (refusal === 'EACCES') throw new OperatorError(`This user cannot read ${file}.`);
  if (typeof found !== 'object' || !found.isFile()) throw new OperatorError(`There is no file ${file}.`);
  const manifest = await verifiedManifest(file, progress);
  const engine = settings.engine === 'sqlite' ? 'sqlite' : 'postgres';
  if (manifest.engine !== engine) {
    throw new OperatorError(`${file} is a backup of ${manifest.engine} and cannot be restored into ${engine}.`);
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

/** Restores everything; returns further notes for the operator. */
async function restoreAll(task: Task): Promise<string> {
  const { file, manifest, settings, flags, progress } = task;
  const now = new Date();
  if (settings.engine !== 'sqlite') return restorePostgres(task, now);
  const { data } = settings;
  if ((await holdsSomething(data)) && !flags.has('force')) {
    throw new OperatorError(
      `${data} is not empty. Specify another folder with --data, or replace its contents with --force.`,
    );
  }
  using _ = await claimFolder(data).catch((error: unknown) => {
    throw new OperatorError(error instanceof Error ? error.message : String(error));
  });
  const replaced = await restoreFolder(file, manifest, data, { now, progress });
  return replaced === undefined ? '' : `The previous contents are in ${replaced}.\n`;
}

/**
 * Keeps servers off a folder, and refuses one that other commands use: workers would continue to write to files that
 * are moved.
 */
async function claimFolder(data: string): Promise<Disposable> {
  using claiming = new DisposableStack();
  claiming.use(await lockDataFolder(data));
  const users = join(data, usersFile);
  makePrivateFile(users);
  if (!claiming.use(new LockFile(users)).tryExclusive())
    throw new Error(`Another command of Granary uses the data in ${data}. Wait until it has ended, or stop it.`);
  return claiming.move();
}

async function restorePostgres(task: Task, now: Date): Promise<string> {
  const { PostgresRestore } = await import('../engine/postgres/archive/restore.ts');
  const { settings } = task;
  await using restore = await explained('engine', settings, PostgresRestore.begin(engineUrl(settings)));
  if (await restore.hasGranary()) {
    if (!task.flags.has('force'))
      throw new OperatorError('This PostgreSQL database already contains Granary data; --force replaces it.');
    if (await restore.isServed())
      throw new OperatorError('Another Granary serves the data in this PostgreSQL database. Stop it first.');
    await restore.clear();
  }
  const told = await layDown(task, restore, now, ({ place }) => place);
  await putCertificate(task);
  return told;
}

/**
 * Restores the certificate if the data folder has none: clients that trust it continue to trust the restored server.
 */
async function putCertificate({ file, settings: { data } }: Task): Promise<void> {
  const folder = join(data, 'tls');
  if (existsSync(folder)) return;
  for await (const each of archivedFiles(file))
    if (each.path.startsWith('tls/')) await laidDown(each, join(folder, basename(each.path)));
}

/** Restores databases under the given schemas, all or none; returns who created their tables. */
async function layDown(
  { file, manifest, flags, progress }: Task,
  restore: PostgresRestore,
  now: Date,
  placeOf: (database: StoredDatabase) => string | undefined,
): Promise<string> {
  const { restoreInto } = await import('../backup/restore-postgres.ts');
  const targetOf = (database: StoredDatabase) => {
    const place = placeOf(database);
    return place === undefined ? undefined : { place, migrations: recorded(database) };
  };
  const tools = flags.get('tools');
  const told = await restoreInto(restore, { archive: file, manifest, targetOf, progress, tools, now });
  await restore.commit();
  return told;
}

async function restoreOne(task: Task, only: string): Promise<string> {
  const { file, manifest, settings, flags } = task;
  const stored = manifest.databases.find(({ name }) => foldedName(name) === foldedName(only));
  if (stored === undefined || stored.kind === accountsSchema.kind) {
    throw new OperatorError(`There is no database ${only} in ${file}.`);
  }
  let told = '';
  const put = async (place: string) => {
    if (settings.engine === 'sqlite') await putFile(task, stored, place);
    else told = await putSchema(task, stored, place);
  };
  await withData(
    settings,
    async ({ engine }) => {
      const isThere = (await engine.list()).some(({ name }) => foldedName(name) === foldedName(stored.name));
      if (isThere && !flags.has('force')) {
        throw new OperatorError(`The database ${stored.name} already exists; --force replaces it.`);
      }
      if (isThere) await engine.replace(stored.name, stored.kind, put);
      else await engine.adopt(stored.name, stored.kind, put);
    },
    { mayCreate: true },
  );
  return told;
}

async function putFile({ file, settings, progress }: Task, stored: StoredDatabase, place: string): Promise<void> {
  const target = fileAt(settings.data, place);
  const clear = () => Promise.all(filesAt(settings.data, place).map((each) => rm(each, { force: true })));
  await clear(); // of what a restore or a creation has left that was killed
  await using failing = new AsyncDisposableStack();
  failing.defer(async () => void (await clear()));
  for await (const each of archivedFiles(file, progress)) {
    if (each.path === `databases/${stored.place}/database`) await laidDown(each, target);
  }
  failing.move();
}

async function putSchema(task: Task, stored: StoredDatabase, place: string): Promise<string> {
  const { PostgresRestore } = await import('../engine/postgres/archive/restore.ts');
  await using restore = await PostgresRestore.begin(engineUrl(task.settings));
  await restore.remove(place); // of what a restore has left that was killed
  return await layDown(task, restore, new Date(), (database) => (database === stored ? place : undefined));
}
