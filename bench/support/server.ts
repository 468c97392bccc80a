import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Client } from '../../src/client/client.ts';
import { ClientConnection } from '../../src/client/connection.ts';
import type { NetworkOptions } from '../../src/client/options.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { fillStore, type Place } from './fill/store.ts';
import { usedBy, usedByPostgres } from './processor-time.ts';
import type { Bench } from './scenario.ts';

const ownProgram = new URL('../../bin/granary.js', import.meta.url).pathname;
const password = 'Correct-Horse-7';
/** What the server said last, for the message when it does not start. */
const keptOutput = 4000;

export interface ServerOptions extends Pick<Bench, 'engine'> {
  /** Fills the databases before the server starts, in this process. */
  readonly fill?: (engine: Engine) => Promise<void>;
  /** Where they are filled already; it stays as it is. */
  readonly kept?: Place | undefined;
  readonly profiles?: string | undefined;
  /** The command, where it is not that of this checkout. */
  readonly program?: string | undefined;
}

/** The real server as a process of its own on fresh data, which goes with it. */
export class BenchServer implements AsyncDisposable {
  /** The folder of its databases. */
  readonly data: string;
  /** Where its data is, as the setting names it: `sqlite`, or the address of a PostgreSQL of its own. */
  readonly engine: string;
  readonly #process: ChildProcess;
  readonly #port: number;
  readonly #cleanUp: AsyncDisposableStack;

  private constructor(place: Place, process: ChildProcess, port: number, cleanUp: AsyncDisposableStack) {
    this.data = place.data;
    this.engine = place.engine;
    this.#process = process;
    this.#port = port;
    this.#cleanUp = cleanUp;
  }

  static async start({ engine, fill, kept, profiles, program }: ServerOptions): Promise<BenchServer> {
    await using cleanUp = new AsyncDisposableStack();
    if (kept !== undefined) return BenchServer.#launch(kept, { profiles, program }, cleanUp.move());
    const data = await mkdtemp(join(tmpdir(), 'granary-bench-'));
    cleanUp.defer(() => rm(data, { recursive: true, force: true }));
    const place = { data, engine: engine === 'sqlite' ? engine : await ownPostgres(cleanUp) };
    if (fill !== undefined) await fillStore(place, fill);
    return BenchServer.#launch(place, { profiles, program }, cleanUp.move());
  }

  /** Another server on the same PostgreSQL; it must go before this one does. */
  async another(): Promise<BenchServer> {
    await using cleanUp = new AsyncDisposableStack();
    const data = await mkdtemp(join(tmpdir(), 'granary-bench-'));
    cleanUp.defer(() => rm(data, { recursive: true, force: true }));
    return BenchServer.#launch({ data, engine: this.engine }, {}, cleanUp.move());
  }

  static async #launch(
    place: Place,
    { profiles, program = ownProgram }: Pick<ServerOptions, 'profiles' | 'program'>,
    cleanUp: AsyncDisposableStack,
  ): Promise<BenchServer> {
    await using onFailure = cleanUp;
    // With a size of V8's pool the program starts at once, not anew in the same process: the profiler's signal ends that.
    const options = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--v8-pool-size=1'];
    const child = spawn(process.execPath, [...options, program, 'serve', '--port', '0', '--data', place.data], {
      env: { ...process.env, GRANARY_SA_PASSWORD: password, GRANARY_ENGINE: place.engine },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const port = await listeningPort(child);
    return new BenchServer(place, child, port, onFailure.move());
  }

  address(database: string): NetworkOptions {
    return { host: '127.0.0.1', port: this.#port, user: 'sa', password, database, encryption: 'off' };
  }

  /** A plain connection, for load. */
  open(database: string): Promise<ClientConnection> {
    return ClientConnection.open(this.address(database));
  }

  /** A client that knows the declarations. */
  connect(database: string): Promise<Client> {
    return Client.connect(this.address(database));
  }

  /** The memory that the server holds now, in bytes. */
  memory(): number {
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(this.#process.pid)], { encoding: 'utf8' })) * 1024;
  }

  /** Seconds of the processor that the server, and its own PostgreSQL, have used so far. */
  async processor(): Promise<number> {
    const own = usedBy(this.#process.pid ?? 0);
    return this.engine === 'sqlite' ? own : own + (await usedByPostgres(this.engine));
  }

  /**
   * Lets a PostgreSQL that has just been made write into log files that it has used before, as one that has run for a while
   * does: a commit that waits for a new file of 16 MB takes 40 ms.
   */
  async reuseLogFiles(): Promise<void> {
    if (this.engine === 'sqlite') return;
    const client = new pg.Client({ connectionString: this.engine });
    await client.connect();
    await client.query('checkpoint');
    await client.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode === null) {
      const gone = once(this.#process, 'exit');
      this.#process.kill('SIGTERM');
      await gone;
    }
    await this.#cleanUp.disposeAsync();
  }
}

async function ownPostgres(cleanUp: AsyncDisposableStack): Promise<string> {
  const server = await startPostgres({ fsync: true });
  cleanUp.defer(() => server.stop());
  return server.url;
}

function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = '';
    const take = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-keptOutput);
      const port = /listening on \S+:(\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve(Number(port));
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.once('exit', (code, signal) => reject(new Error(`the server did not start (${signal ?? code}):\n${output}`)));
  });
}
