import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { selfSigned } from '../../src/net/self-signed.ts';
import { password, startServer } from '../support/server.ts';
import { granary, serve, temporaryFolder } from './granary.ts';
import { canLogIn, query } from './login.ts';
import { runHere, serveHere } from './run-here.ts';

describe('granary serve', () => {
  test('first start tells what a newcomer needs, a second one on the same data does not', async () => {
    await using folder = await temporaryFolder();
    const data = ['--data', join(folder.path, 'data')];
    await using first = await serve(data);
    const { stdout } = first.output();
    const generated = /password +(\S+)/.exec(stdout)?.[1] ?? '';
    assert.ok(generated.length >= 20);
    assert.ok(stdout.includes(`127.0.0.1:${first.port}`));
    assert.ok(stdout.includes(`Server=127.0.0.1,${first.port};`));
    assert.match(stdout, /login +sa/);
    assert.match(stdout, /TranslationServices/);
    assert.match(stdout, /tsql -H 127\.0\.0\.1/);
    assert.ok(stdout.includes(`npx granary login password sa ${data.join(' ')}`));
    assert.equal(await canLogIn(first.port, 'sa', generated), true);
    assert.equal(await first.end(), 0);
    await using second = await serve(data);
    assert.equal(second.output().stdout, `listening on 127.0.0.1:${second.port}\n`);
    assert.equal(await canLogIn(second.port, 'sa', generated), true);
    assert.equal(await second.end('SIGINT'), 0);
  });

  test('a folder with spaces in its name and an IPv6 address are shown so that they can be used again', async () => {
    await using folder = await temporaryFolder();
    const data = join(folder.path, "my farm's data");
    await using server = await serveHere(['--data', data, '--host', '::1', '--http-port', '0']);
    const { stdout } = server.output();
    assert.match(stdout, / address {5}\[::1\]:\d+\n/);
    const shown = /--data ('.*')`\)/.exec(stdout)?.[1] ?? '';
    assert.equal(execFileSync('sh', ['-c', `printf %s ${shown}`], { encoding: 'utf8' }), data);
    assert.match((await runHere(['status', '--data', data])).stdout, /listening on \[::1\]:\d+,/);
  });

  test('the password of the environment counts at first start, is shown nowhere and kept only hashed', async () => {
    await using folder = await temporaryFolder();
    const environment = { GRANARY_SA_PASSWORD: 'Correct-Horse-7' };
    const data = ['--data', folder.path];
    await using server = await serveHere(data, environment);
    assert.equal(await canLogIn(server.port, 'sa', 'Correct-Horse-7'), true);
    assert.equal(await canLogIn(server.port, 'sa', 'Correct-Horse-8'), false);
    const { stdout, stderr } = server.output();
    assert.doesNotMatch(stdout + stderr, /Correct-Horse/);
    await server.end();
    for (const name of await readdir(folder.path, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue;
      const content = await readFile(join(name.parentPath, name.name), 'latin1');
      assert.equal(content.includes('Correct-Horse'), false, name.name);
    }
    await using later = await serveHere(data, { GRANARY_SA_PASSWORD: 'Another-1' });
    assert.equal(await canLogIn(later.port, 'sa', 'Correct-Horse-7'), true);
    assert.equal(await canLogIn(later.port, 'sa', 'Another-1'), false);
  });

  test('the settings file is read, and the key of the certificate is for its owner only', async () => {
    await using folder = await temporaryFolder();
    const config = join(folder.path, 'granary.config.json');
    const data = join(folder.path, 'somewhere');
    const settings = { data, saPassword: 'From-File-1', serverName: 'BARN', logLevel: 'error' };
    await writeFile(config, JSON.stringify(settings), { mode: 0o600 });
    await using server = await serveHere(['--config', config]);
    assert.equal(await query(server.port, 'sa', 'From-File-1', 'select @@servername'), 'BARN');
    assert.equal((await stat(join(data, 'tls/server.key'))).mode & 0o777, 0o600);
    assert.equal(server.output().stderr, '');
  });

  test('the log goes to a file, a JSON object a line, without a secret; a certificate that is given is the only one', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'granary.log');
    const environment = { GRANARY_SA_PASSWORD: 'Correct-Horse-7', GRANARY_LOG_FILE: file, GRANARY_LOG_LEVEL: 'debug' };
    const [certificate, key] = [join(folder.path, 'own.crt'), join(folder.path, 'own.key')];
    const pair = await selfSigned(['127.0.0.1'], new Date());
    await Promise.all([writeFile(certificate, pair.cert), writeFile(key, pair.key, { mode: 0o600 })]);
    const own = ['--tls-cert', certificate, '--tls-key', key];
    await using server = await serveHere(['--data', join(folder.path, 'data'), ...own], environment);
    assert.match(server.output().stdout, /created 8 databases and a login\..*;Encrypt=True\n/s);
    assert.equal(existsSync(join(folder.path, 'data', 'tls')), false);
    assert.equal(await canLogIn(server.port, 'sa', 'Correct-Horse-7'), true);
    assert.equal(await canLogIn(server.port, 'sa', 'Wrong-Horse-8'), false);
    await server.end();
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const messages = lines.map((line): unknown => JSON.parse(line).message);
    assert.equal(messages[0], 'databases created');
    assert.equal(messages.at(-1), 'stopped');
    assert.doesNotMatch(lines.join(), /-Horse-/);
  });

  test('a second server on the same data is refused, and the first serves on', async () => {
    await using server = await startServer();
    const { code, stderr } = await granary(['serve', '--port', '0', '--data', server.granary.settings.data]);
    assert.equal(code, 1);
    assert.match(stderr, /Another Granary serves the data in /);
    assert.doesNotMatch(stderr, / {4}at /);
    assert.equal(await canLogIn(server.port, 'sa', password), true);
  });

  test('a server that was killed leaves data that the next one serves', async () => {
    await using folder = await temporaryFolder();
    const environment = { GRANARY_SA_PASSWORD: 'x' };
    await using killed = await serve(['--data', folder.path], { environment });
    assert.equal(await killed.end('SIGKILL'), null);
    await using next = await serve(['--data', folder.path]);
    assert.equal(await canLogIn(next.port, 'sa', 'x'), true);
  });

  test('a server has the flags that it needs, in the process that was started; those that are given stay', async () => {
    await using folder = await temporaryFolder();
    const data = ['--data', folder.path];
    const commandOf = ({ child }: { child: { readonly pid?: number | undefined } }) =>
      readFile(`/proc/${child.pid}/cmdline`, 'utf8');
    await using server = await serve(data);
    assert.match(await commandOf(server), /\0--v8-pool-size=[1-4]\0/);
    assert.match(await readFile(`/proc/${server.child.pid}/environ`, 'utf8'), /(^|\0)MALLOC_ARENA_MAX=\d+\0/);
    assert.equal(await server.end(), 0);
    await using given = await serve(data, { environment: { NODE_OPTIONS: '--v8-pool-size=2' } });
    assert.doesNotMatch(await commandOf(given), /v8-pool-size/);
  });

  test('a port in use is a clear message', async () => {
    await using folder = await temporaryFolder();
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const address = occupant.address();
    const port = typeof address === 'object' && address ? String(address.port) : '';
    const { code, stderr, stdout } = await runHere(['serve', '--port', port, '--data', folder.path]);
    occupant.close();
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^granary: Port ${port} on 127\\.0\\.0\\.1 is in use\\.`, 'm'));
    assert.doesNotMatch(stderr, / {4}at /);
    assert.equal(stdout, '');
    await using next = await serveHere(['--data', folder.path]);
    assert.match(next.output().stdout, /password +\S{20}/, 'the generated password is shown by the start that serves');
  });

  test('a data folder that cannot be made is a clear message', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    const { code, stderr } = await runHere(['serve', '--port', '0', '--data', join(file, 'data')]);
    assert.equal(code, 1);
    assert.match(stderr, /^granary: The data folder .* cannot be used: /m);
    assert.doesNotMatch(stderr, / {4}at /);
  });

  test('a PostgreSQL that does not answer is a clear message without its password', async () => {
    await using folder = await temporaryFolder();
    const engine = 'postgres://granary:hush-hush@127.0.0.1:1/granary';
    const { code, stderr } = await runHere(['serve', '--port', '0', '--data', folder.path, '--engine', engine]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^granary: PostgreSQL at postgres:\/\/granary:\*\*\*@127\.0\.0\.1:1\/granary cannot be used: .+/m,
    );
    assert.doesNotMatch(stderr, /hush-hush| {4}at /);
  });

  test('on an older Node it runs on the pinned one: signals and the exit code go through', async (t: TestContext) => {
    const node = olderNode();
    if (node === undefined) return t.skip('no Node older than 24 is installed');
    await using folder = await temporaryFolder();
    const environment = { GRANARY_SA_PASSWORD: 'x' };
    await using server = await serve(['--data', folder.path], { environment, node });
    assert.equal(await canLogIn(server.port, 'sa', 'x'), true);
    assert.equal(await server.end(), 0);
    assert.equal((await granary(['serve', '--nonsense', 'x'], { node })).code, 2);
  });

  test('on an older Node the server ends when its parent is killed', async (t: TestContext) => {
    const node = olderNode();
    if (node === undefined) return t.skip('no Node older than 24 is installed');
    await using folder = await temporaryFolder();
    const environment = { GRANARY_SA_PASSWORD: 'x' };
    await using killed = await serve(['--data', folder.path], { environment, node });
    killed.child.kill('SIGKILL');
    await using next = await serve(['--data', folder.path], { node });
    assert.equal(await canLogIn(next.port, 'sa', 'x'), true);
    assert.equal(await next.end(), 0);
  });
});

/** A Node on the path that cannot run Granary itself, or undefined. */
function olderNode(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((path) => {
      try {
        return Number(execFileSync(path, ['-p', 'process.versions.node.split(".")[0]']).toString()) < 24;
      } catch {
        return false; // no program of that name in this folder
      }
    });
}
