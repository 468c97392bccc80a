import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { migrationsIn } from './migrations.ts';

async function folderOf(...files: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'granary-test-'));
  for (const file of files) await writeFile(join(folder, file), `-- ${file}`);
  return { url: pathToFileURL(`${folder}/`), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

test('the numbered files of a folder are read in order; others are left alone', async () => {
  await using folder = await folderOf('0002-groups.sql', '0001-jobs.sql', 'README.md');
  assert.deepEqual(migrationsIn('jobs', folder.url), [
    { area: 'jobs', number: 1, name: 'jobs', text: '-- 0001-jobs.sql' },
    { area: 'jobs', number: 2, name: 'groups', text: '-- 0002-groups.sql' },
  ]);
});

test('a gap, a number that is there twice, and a name without a number are refused', async () => {
  for (const files of [['0001-a.sql', '0003-c.sql'], ['0001-a.sql', '0001-b.sql'], ['a.sql']]) {
    await using folder = await folderOf(...files);
    assert.throws(
      () => migrationsIn('jobs', folder.url),
      /Migration \d is missing or exists twice|is not a valid name for a migration/,
    );
  }
});
