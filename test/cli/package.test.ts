import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { portOf, temporaryFolder } from './granary.ts';
import { query } from './login.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** The oldest Node that the package is for, and the one of the tests. */
const nodes: Readonly<Record<string, string | undefined>> = { '22': 'node@22', 'of the tests': undefined };
const skip = process.env['GRANARY_TEST_PACKAGE'] === undefined && 'takes a minute: set GRANARY_TEST_PACKAGE=1';

/** The environment of somebody who has not started npm: npm tells its children about itself. */
const environment = (first: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|GRANARY_)/i.test(name))),
  PATH: [first, process.env['PATH']].join(delimiter),
  GRANARY_SA_PASSWORD: 'Correct-Horse-7',
});

describe('the packed package', { skip }, () => {
  test('npm pack, npm install in an empty folder, npx granary serve, a call; the typed client with its types', async (t) => {
    await using folder = await temporaryFolder();
    // A copy of the sources: packing changes package.json for a moment, and other tests run beside this one.
    const source = join(folder.path, 'source');
    await mkdir(source);
    const { stdout: files } = await run('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root });
    const list = join(folder.path, 'files');
    await writeFile(list, files);
    await run('sh', ['-c', `tar -c -T "${list}" --ignore-failed-read | tar -x -C "${source}"`], { cwd: root });
    await run('ln', ['-s', join(root, 'node_modules'), join(source, 'node_modules')]);
    await run('npm', ['pack', '--pack-destination', folder.path], { cwd: source });
    const archive = (await readdir(folder.path)).find((name) => name.endsWith('.tgz')) ?? '';
    const { stdout: content } = await run('tar', ['-tzf', join(folder.path, archive)], { maxBuffer: 1e7 });
    assert.doesNotMatch(content, /\.test\.|^package\/test\/|\.ts\.|[^d]\.ts$/m);
    for (const [name, node] of Object.entries(nodes)) {
      await t.test(`on Node ${name}`, async () => {
        const home = join(folder.path, `home ${name}`);
        await mkdir(home);
        await writeFile(join(home, 'package.json'), JSON.stringify({ type: 'module', allowScripts: { node: true } }));
        const wanted = [join(folder.path, archive), ...(node === undefined ? [] : [node])];
        await run('npm', ['install', '--no-audit', '--no-fund', ...wanted], { cwd: home });
        await served(home);
        await typed(home);
      });
    }
  });
});

async function served(home: string): Promise<void> {
  const env = environment(join(home, 'node_modules/.bin'));
  const child = spawn('npx', ['granary', 'serve', '--port', '0', '--http-port', '0', '--data', 'data'], {
    cwd: home,
    env,
    detached: true, // npx does not hand signals on: its whole group gets them
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const closed = once(child, 'close').then(([code]): number | null => code);
  try {
    const port = await portOf(child.stdout, () => ({ stdout: output, stderr: output }), closed);
    const text = 'exec proc_HasActiveJobs; select 1 as one';
    assert.equal(await query(port, 'sa', 'Correct-Horse-7', 'select 1 as one', 'TranslationServices'), 1, text);
    const { stdout } = await run('npx', ['granary', 'status', '--data', 'data'], { cwd: home, env });
    assert.match(stdout, /All is well/);
    const http = `http://${/^http on (\S+)$/m.exec(output)?.[1]}`;
    const [, main = ''] = /src="([^"]+\/main\.js)"/.exec(await (await fetch(`${http}/console/`)).text()) ?? [];
    assert.equal((await fetch(`${http}${main}`)).headers.get('content-type'), 'text/javascript; charset=utf-8');
    await run('npx', ['granary', 'backup', 'all.backup', '--data', 'data'], { cwd: home, env });
    assert.doesNotMatch(output, /Warning/);
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await closed;
  }
}

/** A program that uses the client compiles against the package's own types and runs. */
async function typed(home: string): Promise<void> {
  await writeFile(
    join(home, 'use.ts'),
    "import { Client } from 'granary/client';\nconst made: typeof Client.create = Client.create;\nif (typeof made !== 'function') throw new Error('no client');\n",
  );
  // The program of the README, which also names procedures of a protocol.
  await copyFile(join(root, 'examples/typed-client.ts'), join(home, 'typed-client.ts'));
  const compile = [
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--strict',
    '--skipLibCheck',
    '--lib',
    'esnext',
    '--typeRoots',
    join(root, 'node_modules/@types'),
    '--types',
    'node',
    'use.ts',
    'typed-client.ts',
  ];
  await run(join(root, 'node_modules/.bin/tsc'), compile, { cwd: home });
  await run('node', ['use.js'], { cwd: home, env: environment(join(home, 'node_modules/.bin')) });
}
