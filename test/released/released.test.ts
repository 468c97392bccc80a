import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import {
  type Checksums,
  checksums,
  keptClass,
  keptJob,
  keptPassword,
  releasedChecksums,
  releasedFolder,
} from '../../scripts/freeze-release.ts';
import { root } from '../../scripts/source-files.ts';
import { settingsWith } from '../../src/cli/resolve-settings.ts';
import { Client } from '../../src/client/client.ts';
import { createServer } from '../../src/main.ts';
import { bigint, int, nvarchar } from '../../src/tds/types/index.ts';
import { temporaryFolder } from '../cli/granary.ts';
import { runHere } from '../cli/run-here.ts';
import { newPostgresDatabase } from '../support/postgres-database.ts';

const versions = Object.entries(releasedChecksums());
const now: Checksums = checksums();
const backupOf = (version: string): string => join(releasedFolder, `${version}.postgres.backup`);

describe('what was released', () => {
  test('has a list of its migrations, a data folder and a backup, for every version that the changelog calls released', () => {
    const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    const released = [...changes.matchAll(/^## (\d+\.\d+\.\d+)\b(?! \(unreleased\))/gm)].map(
      ([, version = '']) => version,
    );
    for (const version of released) {
      const isKept =
        versions.some(([known]) => known === version) && existsSync(join(releasedFolder, `${version}.tar.zst`));
      // The first release had no backups yet.
      const hasBackup = version === '0.1.0' || existsSync(backupOf(version));
      assert.ok(isKept && hasBackup, `npm run release:freeze has not kept ${version}`);
    }
  });

  for (const [version, kept] of versions) {
    test(`the migrations of ${version} are as they were: a change of tables is a new file`, () => {
      const changed = Object.entries(kept).filter(([name, checksum]) => now[name] !== checksum);
      assert.deepEqual(changed, []);
    });

    test(`a data folder of ${version} is brought forward at start, with a copy before it, and all is there`, async () => {
      await using folder = await temporaryFolder();
      unpack(version, folder.path);
      await broughtForward({ data: folder.path });
      const isLacking = Object.keys(now).some((name) => kept[name] === undefined);
      const copies = join(folder.path, 'before-upgrade');
      assert.equal(existsSync(copies) && readdirSync(copies).length > 0, isLacking);
    });

    const backup = backupOf(version);
    test(`a backup of ${version} on PostgreSQL is restored and brought forward, and all is there`, {
      skip: !existsSync(backup) && 'it had none',
    }, async () => {
      await using folder = await temporaryFolder();
      await using database = await newPostgresDatabase();
      const place = ['--engine', database.url, '--data', folder.path];
      const { code, stderr } = await runHere(['restore', backup, ...place]);
      assert.equal(code, 0, stderr);
      await broughtForward({ data: folder.path, engine: database.url });
    });
  }
});

/** Starts twice on what an earlier release has left, and looks for what it was filled with. */
async function broughtForward(place: { readonly data: string; readonly engine?: string }): Promise<void> {
  const settings = settingsWith({ port: 0, httpPort: 'off', ...place });
  for (const start of ['first', 'second']) {
    await using granary = createServer(settings);
    await granary.start();
    assert.equal(granary.firstStart, undefined, `the ${start} start takes nothing for a new folder`);
    await using translation = Client.create({ server: granary, database: 'TranslationServices' });
    const jobs = await translation.select({ JobId: bigint, Name: nvarchar(100) }, 'select JobId, Name from Jobs');
    assert.deepEqual(jobs, [{ JobId: keptJob.JobId, Name: keptJob.Name }]);
    const [items] = await translation.select({ n: int }, 'select count(*) as n from Items');
    assert.equal(items?.n, keptJob.items);
    await using config = Client.create({ server: granary, database: 'SharePoint_Config' });
    const classes = await config.select({ FullName: nvarchar(256) }, 'select FullName from Classes');
    assert.ok(classes.some(({ FullName }) => FullName === keptClass.FullName));
    const names = await config.select({ name: nvarchar(128) }, 'select name from sys.databases where database_id > 4');
    for (const { name } of names) {
      // A database is brought forward when it is first opened.
      await using client = Client.create({ server: granary, database: name });
      await client.select({ n: int }, 'select 1 as n');
    }
    const admitted = await granary.accounts.verify('sa', keptPassword, '127.0.0.1', new AbortController().signal);
    assert.equal(admitted?.login, 'sa');
  }
}

function unpack(version: string, folder: string): void {
  const input = zstdDecompressSync(readFileSync(join(releasedFolder, `${version}.tar.zst`)));
  const { status, stderr } = spawnSync('tar', ['-x', '-C', folder], { input, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}
