import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
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

  test('who comes while the holder is ending waits for it', async () => {
    await using folder = await temporary();
    const first = await lockDataFolder(folder.path);
    const waiting = lockDataFolder(folder.path);
    first[Symbol.dispose]();
    using _second = await waiting;
  });
});
