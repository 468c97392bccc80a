import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../src/client/call.ts';
import { ClientConnection, type ConnectOptions } from '../../src/client/connection.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { fillStore } from './fill/store.ts';

const program = new URL('../../bin/granary.js', import.meta.url).pathname;
const password = 'Correct-Horse-7';
/** What the server said last, for the message when it does not start. */
const keptOutput = 4000;

export interface ServerOptions {
  /** Fills the databases before the server starts, in this process. */
  readonly fill?: (engine: Engine) => Promise<void>;
  readonly profiles?: string | undefined;
}

/** The real server as a process of its own on fresh data, which goes with it. */
export class BenchServer implements AsyncDisposable {
  /** The folder of its databases. */
  readonly data: string;
  readonly #process: ChildProcess;
  readonly #port: number;

  private constructor(process: ChildProcess, port: number, data: string) {
    this.#process = process;
    this.#port = port;
    this.data = data;
  }

  static async start({ fill, profiles }: ServerOptions = {}): Promise<BenchServer> {
    const data = await mkdtemp(join(tmpdir(), 'granary-bench-'));
    try {
      if (fill !== undefined) await fillStore(data, fill);
      const options = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
      const child = spawn(process.execPath, [...options, program, 'serve', '--port', '0', '--data', data], {
        env: { ...process.env, GRANARY_SA_PASSWORD: password },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return new BenchServer(child, await listeningPort(child), data);
    } catch (error) {
      await rm(data, { recursive: true, force: true });
      throw error;
    }
  }

  address(database: string): ConnectOptions {
    return { host: '127.0.0.1', port: this.#port, user: 'sa', password, database };
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

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode === null) {
      const gone = once(this.#process, 'exit');
      this.#process.kill('SIGTERM');
      await gone;
    }
    await rm(this.data, { recursive: true, force: true });
  }
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
    child.once('exit', () => reject(new Error(`the server did not start:\n${output}`)));
  });
}
