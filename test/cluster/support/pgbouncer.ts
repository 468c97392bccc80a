import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { until } from '../../robustness/support/until.ts';
import { freePort } from '../../support/postgres.ts';

/** Starts a pooler in front of a PostgreSQL, in one of its modes. */
export async function startPgbouncer(
  server: string,
  mode: string,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const { hostname, port: serverPort, username, password } = new URL(server);
  const folder = mkdtempSync(join(tmpdir(), 'granary-pgbouncer-'));
  const port = await freePort();
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${username}" "${password}"\n`);
  const file = join(folder, 'pgbouncer.ini');
  const target = `host=${hostname} port=${serverPort} user=${username}${password === '' ? '' : ` password=${password}`}`;
  writeFileSync(
    file,
    `[databases]\n* = ${target}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n` +
      `auth_type = trust\nauth_file = ${users}\npool_mode = ${mode}\ndefault_pool_size = 60\nmax_client_conn = 200\n`,
  );
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const as = userInfo().uid === 0 ? { uid: Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' })) } : {};
  const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };
  const pooler = spawn('pgbouncer', ['-q', file], { ...as, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => pooler.once('exit', resolve));
  await until('pgbouncer takes connections', () => takesConnections(port, pooler));
  const url = new URL(server);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      pooler.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function takesConnections(port: number, { exitCode }: ChildProcess): Promise<boolean> {
  if (exitCode !== null) throw new Error(`pgbouncer ended with ${exitCode}`);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}
