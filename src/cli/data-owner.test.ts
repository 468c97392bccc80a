import assert from 'node:assert/strict';
import { chownSync } from 'node:fs';
import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockDataFolder } from './data-lock.ts';
import { DataOfAnother, refuseForeignRoot } from './data-owner.ts';

const nobody = 65534;

test('root leaves no files in the data of another user, whose server could not open them', async (t) => {
  if (userInfo().uid !== 0) return t.skip('only root can give a file away');
  await using folder = await mkdtempDisposable(join(tmpdir(), 'granary-owner-'));
  chownSync(folder.path, nobody, nobody);
  refuseForeignRoot(folder.path);
  const list = join(folder.path, 'granary.db');
  await writeFile(list, '');
  refuseForeignRoot(folder.path);
  chownSync(list, nobody, nobody);
  await assert.rejects(lockDataFolder(folder.path), DataOfAnother);
  assert.deepEqual(await readdir(folder.path), ['granary.db']);
  assert.throws(() => refuseForeignRoot(folder.path), /belongs to user 65534.*Run the command as that user/);
  refuseForeignRoot(join(folder.path, 'missing'));
  return undefined;
});
