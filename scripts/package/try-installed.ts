import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { tryServer } from './try-server.ts';

/** Hears what systemd would: datagrams, which Node has no sockets for. */
const listener = `
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
print("bound", flush=True)
while True: print(s.recv(4096).decode(), flush=True)
`;

/** Installs the package on this machine, serves as its own user as the unit would, and purges it. */
export async function tryInstalled(path: string, home: string): Promise<void> {
  run('dpkg', '-i', path);
  try {
    run('systemd-analyze', 'verify', '/lib/systemd/system/granary.service');
    const own = join(home, 'served');
    mkdirSync(own, { mode: 0o700 });
    chmodSync(home, 0o755);
    run('chown', 'granary:', own);
    const socket = join(home, 'notify');
    const hearing = spawn('python3', ['-c', listener, socket]);
    let heard = '';
    hearing.stdout.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    await once(hearing.stdout, 'data');
    try {
      const environment = { ...process.env, NOTIFY_SOCKET: socket };
      const asItself = ['--reuid', 'granary', '--regid', 'granary', '--clear-groups', '/usr/bin/granary'];
      await tryServer('setpriv', asItself, environment, own);
    } finally {
      hearing.kill();
      await once(hearing, 'close');
    }
    assert.match(heard, /READY=1/);
    assert.match(heard, /STOPPING=1/);
    console.log('installed, served as its own user, told systemd that it is ready and that it stops');
  } finally {
    run('dpkg', '-P', 'granary');
  }
  assert.ok(!existsSync('/usr/lib/granary'));
  console.log('purged');
}

function run(command: string, ...args: readonly string[]): void {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  process.stdout.write(stdout ?? '');
  if (error !== undefined || status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${stderr ?? ''}`, { cause: error });
}
