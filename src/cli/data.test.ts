import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const nobody = 65534;

test('a data folder of another user’s is no folder without data: who may not look into it is told that', async (t) => {
  if (userInfo().uid !== 0) return t.skip('only root can be somebody else');
  await using folder = await mkdtempDisposable(join(tmpdir(), 'granary-data-'));
  const module = new URL('./data.ts', import.meta.url).href;
  // Imported before the user changes: others need not see the sources.
  const text = `
    const { refuseWithoutData } = await import('${module}');
    process.setgid(${nobody});
    process.setuid(${nobody});
    await refuseWithoutData({ engine: 'sqlite', data: ${JSON.stringify(folder.path)} });`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' });
  assert.match(stderr, /OperatorError: This user cannot access .*Run the command as the user that the server runs as/);
  return undefined;
});
