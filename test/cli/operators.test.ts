import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { selfSigned } from '../../src/net/self-signed.ts';
import { newPostgresDatabase } from '../support/postgres-database.ts';
import { postgres } from '../support/prepared-data.ts';
import { startServer } from '../support/server.ts';
import { granary, type RunningServer, serve, temporaryFolder } from './granary.ts';
import { canLogIn, query } from './login.ts';
import { leftData, runHere, serveHere } from './run-here.ts';

const environment = { GRANARY_SA_PASSWORD: 'Correct-Horse-7' };

const httpOf = (server: Pick<RunningServer, 'output'>): string =>
  /^http on (\S+)$/m.exec(server.output().stdout)?.[1] ?? '';

describe('the operators’ HTTP listener', () => {
  test('a line tells where it is; livez, readyz with each check by name, metrics of calls and logins', async () => {
    await using folder = await temporaryFolder();
    await using server = await serve(['--data', folder.path, '--http-port', '0'], { environment });
    const at = `http://${httpOf(server)}`;
    assert.equal((await fetch(`${at}/livez`)).status, 200);
    const ready = await fetch(`${at}/readyz`);
    assert.equal(ready.status, 200);
    const { status, checks } = (await ready.json()) as { status: string; checks: { name: string; ok: boolean }[] };
    assert.equal(status, 'ready');
    for (const name of ['engine', 'disk', 'database TranslationServices']) {
      assert.ok(
        checks.some((check) => check.name === name && check.ok),
        name,
      );
    }
    await query(
      server.port,
      'sa',
      'Correct-Horse-7',
      'exec proc_GetJobs @ActiveOnly = 0, @SubmittedOnly = 0',
      'TranslationServices',
    );
    assert.equal(await canLogIn(server.port, 'sa', 'wrong'), false);
    const metrics = await fetch(`${at}/metrics`);
    assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    const text = await metrics.text();
    assert.match(text, /^granary_call_seconds_count\{database="TranslationServices",procedure="proc_GetJobs"\} 1$/m);
    assert.match(text, /^granary_call_seconds_bucket\{.*le="\+Inf"\} 1$/m);
    assert.match(text, /^granary_logins_total\{outcome="18456"\} 1$/m);
    assert.match(text, /^granary_sessions \d+$/m);
    assert.match(text, /^# TYPE granary_call_seconds histogram$/m);
    assert.match(text, /^nodejs_eventloop_lag_p99_seconds /m);
    assert.equal((await fetch(`${at}/metrics`, { method: 'POST' })).status, 405);
    assert.equal((await fetch(`${at}/nothing`)).status, 404);
  });

  test('granary status tells it in words and in JSON; /status is for who can read the data folder only', async () => {
    await using folder = await temporaryFolder();
    await using server = await serveHere(['--data', folder.path, '--http-port', '0'], environment);
    await query(
      server.port,
      'sa',
      'Correct-Horse-7',
      'exec proc_GetJobs @ActiveOnly = 0, @SubmittedOnly = 0',
      'TranslationServices',
    );
    assert.equal((await fetch(`http://${httpOf(server)}/status`)).status, 401);
    assert.equal((await stat(join(folder.path, 'http.json'))).mode & 0o777, 0o600);
    const words = await granary(['status', '--data', folder.path]);
    assert.equal(words.code, 0, words.stderr);
    assert.match(words.stdout, /up since 20/);
    assert.match(words.stdout, /TranslationServices +translation +ONLINE +\d+\.\d MB/);
    assert.match(words.stdout, /proc_GetJobs +TranslationServices +1 /);
    assert.match(words.stdout, /All is well\./);
    const json = JSON.parse((await runHere(['status', '--data', folder.path, '--json'])).stdout);
    assert.equal(json.engine, 'sqlite');
    assert.deepEqual(json.wrong, []);
    await server.end();
    const after = await runHere(['status', '--data', folder.path]);
    assert.equal(after.code, 1);
    assert.match(after.stderr, /No server with an HTTP listener is running on/);
  });

  test('granary status: a program that has taken the port of a server that was killed is told as that', async () => {
    await using folder = await temporaryFolder();
    for (const answer of ['<html>', '[]', '{"status":"ok"}']) {
      await using other = createHttpServer((_, response) => response.end(answer)).listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      await writeFile(join(folder.path, 'http.json'), JSON.stringify({ url: `http://127.0.0.1:${port}`, token: 'x' }));
      const { code, stderr } = await runHere(['status', '--data', folder.path]);
      assert.equal(code, 1);
      assert.match(stderr, /^granary: The server that wrote .* does not respond .*another program responds there/);
    }
  });

  test('a database that cannot be opened: readyz is 503 with the reason, status says SUSPECT and ends with 1', async () => {
    await using data = await leftData();
    const found = join(data.path, 'translationservices.db');
    await writeFile(found, 'this is no database at all, whatever it was once');
    await chmod(found, 0o600);
    await using server = await serveHere([...data.flags, '--http-port', '0']);
    const ready = await fetch(`http://${httpOf(server)}/readyz`);
    assert.equal(ready.status, 503);
    const { checks } = (await ready.json()) as { checks: { name: string; ok: boolean; reason?: string }[] };
    const wrong = checks.filter(({ ok }) => !ok);
    assert.deepEqual(
      wrong.map(({ name }) => name),
      ['database TranslationServices'],
    );
    assert.match(wrong[0]?.reason ?? '', /not a database/);
    const words = await runHere(['status', ...data.flags]);
    assert.equal(words.code, 1);
    assert.match(words.stdout, /TranslationServices +translation +SUSPECT/);
    assert.match(words.stderr, /Not all is well: database TranslationServices/);
  });

  test('off opens none; a port that is named and taken ends the start; the usual one gives way', async () => {
    await using folder = await temporaryFolder();
    await using taken = createServer();
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' ? `${address?.port}` : '';
    const refused = await runHere(['serve', '--port', '0', '--data', folder.path, '--http-port', port], environment);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /Port \d+ on 127\.0\.0\.1 is in use.*--http-port/);
    await using none = await serveHere(['--data', folder.path, '--http-port', 'off'], environment);
    assert.equal(httpOf(none), '');
    await none.end();
    await using first = await serveHere(['--data', folder.path, '--http-port', 'auto'], environment);
    await using other = await temporaryFolder();
    await using second = await serveHere(['--data', other.path, '--http-port', 'auto'], environment);
    assert.notEqual(httpOf(first), httpOf(second));
    assert.equal((await fetch(`http://${httpOf(second)}/livez`)).status, 200);
  });

  test('off loopback it speaks HTTPS only', async () => {
    await using server = await startServer({ settings: { httpHost: '0.0.0.0', httpPort: 0 } });
    const port = server.granary.httpAddress?.split(':')[1];
    await assert.rejects(fetch(`http://127.0.0.1:${port}/livez`), /fetch failed/);
    const status = await runHere(['status', '--data', server.granary.settings.data]);
    assert.match(status.stdout, /All is well/);
  });

  test('PostgreSQL: the sizes of its schemas, and a check of the engine', async () => {
    await using server = await startServer({ engine: 'postgres', settings: { httpPort: 0 } });
    const ready = await fetch(`http://${server.granary.httpAddress}/readyz`);
    assert.equal(ready.status, 200);
    const { stdout } = await runHere(['status', '--data', server.granary.settings.data, '--json']);
    const { engine, databases } = JSON.parse(stdout) as { engine: string; databases: { bytes: number }[] };
    assert.equal(engine, 'postgres');
    assert.ok(databases.every(({ bytes }) => bytes > 8192));
  });

  test('PostgreSQL: readyz is 503 while nothing may be written, and while new sessions are refused', async () => {
    await using server = await startServer({ engine: 'postgres', settings: { httpPort: 0 } });
    const { engine } = server.granary.settings;
    const wrong = async () => {
      const ready = await fetch(`http://${server.granary.httpAddress}/readyz`);
      const { checks } = (await ready.json()) as { checks: { ok: boolean; reason?: string }[] };
      return [ready.status, ...checks.filter(({ ok }) => !ok).map(({ reason }) => reason)];
    };
    const name = new URL(engine).pathname.slice(1);
    assert.deepEqual(await wrong(), [200]);
    await postgres(engine, (client) => client.query(`alter database ${name} set default_transaction_read_only = on`));
    // Sessions that are open go on as before; these are new.
    await postgres(engine, (client) =>
      client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      ),
    );
    const [status, reason] = await wrong();
    assert.equal(status, 503);
    assert.match(`${reason}`, /The server at .* is read-only/);
    await postgres(engine, async (client) => {
      await client.query('set default_transaction_read_only = off');
      await client.query(`alter database ${name} reset default_transaction_read_only`);
    });
    assert.deepEqual(await wrong(), [200]);
  });

  test('PostgreSQL: a data folder that became read-only keeps no node from stopping in order', async (t) => {
    await using folder = await temporaryFolder();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder.path], { stdio: 'ignore' });
    } catch {
      return t.skip('file systems cannot be mounted here');
    }
    try {
      await using store = await newPostgresDatabase();
      const args = ['--data', folder.path, '--engine', store.url, '--http-port', '0'];
      await using server = await serveHere(args, environment);
      execFileSync('mount', ['-o', 'remount,ro', folder.path]);
      assert.equal(await server.end(), 0, server.output().stderr);
    } finally {
      execFileSync('umount', ['-l', folder.path]);
    }
  });

  test('PostgreSQL: of two nodes that share a data folder the one that is left is found after the other has stopped', async () => {
    await using server = await startServer({ engine: 'postgres', settings: { httpPort: 0 } });
    const { data, engine } = server.granary.settings;
    await chmod(join(data, 'http.json'), 0o644);
    await using second = await serveHere(['--data', data, '--engine', engine, '--http-port', '0']);
    assert.equal((await stat(join(data, 'http.json'))).mode & 0o777, 0o600);
    await server.granary.stop();
    const { code, stdout, stderr } = await runHere(['status', '--data', data]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`listening on 127\\.0\\.0\\.1:${second.port}`));
  });

  test('PostgreSQL: a node with a certificate of its own makes its data folder, where status finds it', async () => {
    await using server = await startServer({ engine: 'postgres' });
    await using folder = await temporaryFolder();
    const [certificate, key] = [join(folder.path, 'own.crt'), join(folder.path, 'own.key')];
    const pair = await selfSigned(['127.0.0.1'], new Date());
    await Promise.all([writeFile(certificate, pair.cert), writeFile(key, pair.key, { mode: 0o600 })]);
    const own = ['--engine', server.granary.settings.engine, '--tls-cert', certificate, '--tls-key', key];
    const node = (path: string) => ['--data', path, '--http-port', '0', ...own];
    const fresh = join(folder.path, 'new/data');
    await using _ = await serveHere(node(fresh));
    assert.equal((await runHere(['status', '--data', fresh])).code, 0);
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    const { code, stderr } = await runHere(['serve', '--port', '0', ...node(join(file, 'data'))]);
    assert.equal(code, 1);
    assert.match(stderr, /^granary: The data folder .* cannot be used: ENOTDIR/m);
  });
});
