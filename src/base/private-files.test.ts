import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtempDisposable, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makePrivateFolder } from './private-files.ts';

/** A user that owns nothing, on every system of the tests. */
const nobody = 65534;

test('a folder that cannot be made is refused at once, and those above it are made', async () => {
  // Node's own recursive mkdir tries for ever there.
  assert.throws(() => makePrivateFolder('/proc/granary-test/data', []), /ENOENT/);
  await using folder = await mkdtempDisposable(join(tmpdir(), 'granary-private-'));
  const inner = join(folder.path, 'a/b/c');
  makePrivateFolder(inner, []);
  makePrivateFolder(inner, []);
  for (const path of [inner, join(folder.path, 'a')]) assert.equal((await stat(path)).mode & 0o777, 0o700);
});

test('a folder of another user’s that is open to all is refused with what to do', async (t) => {
  if (userInfo().uid !== 0) return t.skip('only root can be somebody else');
  await using folder = await mkdtempDisposable(join(tmpdir(), 'granary-private-'));
  await chmod(folder.path, 0o755);
  const script = `
    process.setgid(${nobody});
    process.setuid(${nobody});
    makePrivateFolder(${JSON.stringify(folder.path)}, []);`;
  const module = new URL('./private-files.ts', import.meta.url).href;
  // Imported before the user changes: others need not see the sources.
  const text = `const { makePrivateFolder } = await import('${module}');${script}`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' });
  assert.notEqual(status, 0);
  assert.match(stderr, /NotPrivate: .*is open to other users.*this user cannot change that.*chmod go=/);
  assert.doesNotMatch(stderr, /EPERM/, 'which would be told in its place');
  return undefined;
});
