// `npm run release:freeze`: keeps what a release must never change again. It writes the checksums of all migrations, under
// the version of package.json, into test/released/migrations.json, and beside it a data folder of that version and a backup
// of its databases on PostgreSQL.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { accountsSchema } from '../src/accounts/schema.ts';
import { settingsWith } from '../src/cli/resolve-settings.ts';
import { Client } from '../src/client/client.ts';
import { checksumOf } from '../src/engine/migrations.ts';
import { allKinds } from '../src/kinds.ts';
import { createServer } from '../src/main.ts';
import { putClass } from '../src/protocols/config/objects/put-class.ts';
import { addGroup } from '../src/protocols/translation/add-group.ts';
import { addJob } from '../src/protocols/translation/add-job.ts';
import { submitJob } from '../src/protocols/translation/submit-job.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { root } from './source-files.ts';

/** What a data folder that is kept holds, so that a later release can be asked for it. */
export const keptJob = { JobId: 42n, Name: 'kept', items: 3 };
export const keptClass = { Id: '6f9619ff-8b86-d011-b42d-00c04fc964ff', FullName: 'Kept' };
export const keptPassword = 'Correct-Horse-7';

/** Checksums by migration: `jobs/1-jobs`. */
export type Checksums = Readonly<Record<string, string>>;

/** Where the releases are kept. */
export const releasedFolder = join(root, 'test/released');

/** The checksums of the migrations of this tree. */
export function checksums(): Checksums {
  const migrations = [accountsSchema, ...allKinds.map(({ schema }) => schema)].flatMap((schema) => schema.migrations);
  const entries = migrations.map((each) => [`${each.area}/${each.number}-${each.name}`, checksumOf(each)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The checksums of all releases, by version. */
export function releasedChecksums(): Readonly<Record<string, Checksums>> {
  return JSON.parse(readFileSync(join(releasedFolder, 'migrations.json'), 'utf8'));
}

/** Serves on a new folder, or an empty PostgreSQL, for as long as it takes to put something of every kind into it. */
async function fill(data: string, engine = 'sqlite'): Promise<void> {
  const settings = settingsWith({ port: 0, httpPort: 'off', data, engine, saPassword: keptPassword });
  await using granary = createServer(settings);
  await granary.start();
  await using translation = Client.create({ server: granary, database: 'TranslationServices' });
  const { JobId, Name, items } = keptJob;
  await translation.call(addJob, { JobId, Name, UserToken: Buffer.of(1), Settings: '<settings/>' });
  const family = 'http://schemas.microsoft.com/office/server/translation/2010/11/databaseJobAdd';
  const listed = Array.from({ length: items }, (_, id) => `<item id="${id}" in="${id}.docx" out="${id}.de.docx"/>`);
  const JobXml = `<group xmlns="${family}">${listed.join('')}</group>`;
  await translation.call(addGroup, { JobId, GroupId: 1, InputRoot: '', OutputRoot: '', MaxAttemptsCount: 3, JobXml });
  await translation.call(submitJob, { JobId });
  await using config = Client.create({ server: granary, database: 'SharePoint_Config' });
  await config.call(putClass, { ...keptClass, BaseClassId: null, RequestGuid: null });
}

/** The databases of a folder in one compressed archive; the certificate and its key stay out of it. */
function archive(folder: string): Buffer {
  const files = readdirSync(folder).filter((name) => name.endsWith('.db'));
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  const { status, stdout } = spawnSync('tar', ['-c', ...owner, '-C', folder, ...files.toSorted()], { maxBuffer: 1e9 });
  if (status !== 0) throw new Error('tar failed.');
  return zstdCompressSync(stdout);
}

/** Writes a backup of a PostgreSQL that this release has filled; without its folder, which has the certificate and its key. */
async function keepPostgres(folder: string, file: string): Promise<void> {
  const postgres = await startPostgres({ fsync: false });
  try {
    await fill(join(folder, 'node'), postgres.url);
    const source = ['--engine', postgres.url, '--data', join(folder, 'none')];
    const command = [join(root, 'bin/granary.js'), 'backup', file, '--force', ...source];
    const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  } finally {
    await postgres.stop();
  }
}

/** Keeps what the version of package.json makes. */
async function freeze(): Promise<void> {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'granary-release-'));
  try {
    await fill(join(folder, 'data'));
    writeFileSync(join(releasedFolder, `${version}.tar.zst`), archive(join(folder, 'data')));
    await keepPostgres(folder, join(releasedFolder, `${version}.postgres.backup`));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const all = { ...releasedChecksums(), [version]: checksums() };
  writeFileSync(join(releasedFolder, 'migrations.json'), `${JSON.stringify(all, undefined, 2)}\n`);
  console.log(
    `${version}: ${Object.keys(checksums()).length} migrations, a data folder and a backup are kept in test/released`,
  );
}

// Not awaited: tests, which require this module, could not if it waited while it loads.
if (import.meta.main) void freeze();
