import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { granary, serve, temporaryFolder } from '../cli/granary.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Every file and folder under a folder, with its mode. */
function modes(folder: string): Record<string, string> {
  const found: Record<string, string> = { '.': modeOf(folder) };
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    found[entry] = modeOf(join(folder, entry));
  return found;
}

/** What others may read: nothing but the certificate, which every client gets. */
const open = (folder: string) =>
  Object.entries(modes(folder)).filter(([name, mode]) => !/00$/.test(mode) && !name.endsWith('server.crt'));

const skip = process.platform === 'win32' ? 'Windows has no modes' : false;

test('data files and folders are their owner’s alone, also where they were open before', { skip }, async () => {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  mkdirSync(data, { mode: 0o755 });
  chmodSync(data, 0o755);
  for (const _start of [1, 2]) {
    await using server = await serve(['--data', data]);
    await granary(['database', 'create', 'Extra', '--kind', 'translation', '--data', data]);
    assert.deepEqual(open(data), []);
    await server.end();
    assert.deepEqual(open(data), []);
    for (const name of Object.keys(modes(data))) {
      const path = join(data, name);
      chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
    }
  }
});

test('a folder of other things that is open to others is refused with one line, and left as it is', {
  skip,
}, async () => {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'home');
  mkdirSync(data);
  writeFileSync(join(data, 'letter.txt'), 'Dear');
  chmodSync(data, 0o755);
  const { code, stderr } = await granary(['serve', '--port', '0', '--data', data]);
  assert.equal(code, 1);
  assert.match(stderr, /^granary: .*is open to other users of this machine \(mode 0755\).*\n$/);
  assert.deepEqual(modes(data), { '.': '755', 'letter.txt': modeOf(join(data, 'letter.txt')) });
});

test('passwords where others can see them are warned of, and have another place', { skip }, async () => {
  await using folder = await temporaryFolder();
  const config = join(folder.path, 'granary.config.json');
  const nowhere = 'postgres://granary@127.0.0.1:1/none';
  writeFileSync(config, JSON.stringify({ engine: nowhere, enginePassword: 'hidden' }), { mode: 0o644 });
  const list = (...more: string[]) => granary(['database', 'list', '--config', config, ...more]);
  assert.match((await list()).stderr, /contains a password \(enginePassword\) and every user .* can read it/);
  chmodSync(config, 0o600);
  assert.doesNotMatch((await list()).stderr, /warning/);
  const flagged = await list('--engine', 'postgres://granary:secret@127.0.0.1:1/none');
  assert.match(flagged.stderr, /the password in --engine is visible/);
  assert.doesNotMatch(flagged.stderr, /secret|hidden/);
});
