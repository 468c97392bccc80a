import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { shareProcesses } from './shared-processes.ts';

/** Test files of a folder that is gone at the end, and the processes that they share. */
function processesOf(texts: Readonly<Record<string, string>>, mostFiles: number) {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'granary-test-'));
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(folder.path, `${name}.test.mjs`);
    writeFileSync(file, `import { after, before, test } from 'node:test';\n${text}`);
    return file;
  });
  const processes = shareProcesses(files, mostFiles, folder.path);
  return {
    path: folder.path,
    ...processes,
    run() {
      // A process that knows it belongs to a test would run no tests of its own.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      return spawnSync(process.execPath, ['--test', ...processes.entries], { env, encoding: 'utf8' });
    },
    [Symbol.dispose]: () => folder.remove(),
  };
}

test('as many test files share a process as may, and one that says why it must be alone is', () => {
  const texts = { a: '', b: '// Alone in its process: it measures memory.\n', c: '', d: '' };
  using processes = processesOf(texts, 2);
  const run = processes.entries.map((entry) => [...readFileSync(entry, 'utf8').matchAll(/(\w)\.test\.mjs"/g)]);
  assert.deepEqual(
    run.map((matches) => matches.map(([, name]) => name)),
    [['b'], ['a', 'c'], ['d']],
  );
});

test('the hooks of a test file run around its own tests, and a failure in one file stops no other', () => {
  const noting = (name: string) => `
    import { appendFileSync } from 'node:fs';
    const note = (what) => appendFileSync(new URL('./notes', import.meta.url), what + ' ${name}\\n');
    before(() => note('before'));
    after(() => note('after'));
    test('notes', () => note('test'));`;
  using processes = processesOf({ a: noting('a'), b: 'throw new Error("cannot be loaded");', c: noting('c') }, 3);
  const { status, stdout } = processes.run();
  assert.equal(status, 1, stdout);
  assert.match(stdout, /✖ .*b\.test\.mjs.*cannot be loaded/s);
  assert.match(stdout, /pass 2\n/);
  assert.equal(
    readFileSync(join(processes.path, 'notes'), 'utf8'),
    'before a\ntest a\nafter a\nbefore c\ntest c\nafter c\n',
  );
  assert.deepEqual(processes.interrupted(), []);
});

test('a test file in which its process dies fails the run, and is named', () => {
  const passing = "test('passes', () => {});";
  const dying = "process.kill(process.pid, 'SIGKILL')";
  using processes = processesOf({ a: passing, b: `test('dies', () => ${dying});`, c: passing, d: dying }, 3);
  const { status, stdout } = processes.run();
  assert.equal(status, 1, stdout);
  assert.deepEqual(
    processes.interrupted().map((file) => basename(file)),
    ['b.test.mjs', 'd.test.mjs'],
  );
});
