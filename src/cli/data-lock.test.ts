import assert from 'node:assert/strict';
import { mkdtempDisposable, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { DataInUse, lockDataFolder } from './data-lock.ts';

const temporary = () => mkdtempDisposable(join(tmpdir(), 'granary-lock-'));

describe('lockDataFolder', () => {
  test('a folder is had by one at a time, and made when it is missing', async () => {
    await using folder = await temporary();
    const path = join(folder.path, 'deep/data');
    {
      using _first = await lockDataFolder(path);
      await assert.rejects(lockDataFolder(path, 0), DataInUse);
    }
    using _second = await lockDataFolder(path, 0);
  });

  test('a lock that is damaged is named, and removing it helps', async () => {
    await using folder = await temporary();
    const path = join(folder.path, 'server.lock');
    await writeFile(path, 'no database '.repeat(500), { mode: 0o600 });
    await assert.rejects(lockDataFolder(folder.path), /server\.lock cannot be locked: .*It has no contents: remove it/);
    await rm(path);
    using _lock = await lockDataFolder(folder.path);
  });

  test('who comes while the holder is ending waits for it', async () => {
    await using folder = await temporary();
    const first = await lockDataFolder(folder.path);
    const waiting = lockDataFolder(folder.path);
    first[Symbol.dispose]();
    using _second = await waiting;
  });
});
