import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../../../src/cli/settings.ts';
import { tdsVersions } from '../../../src/tds/version.ts';
import type { EngineName } from '../../support/engines.ts';
import { MarsClient } from './mars-client.ts';
import { RawClient } from './raw-client.ts';

const program = fileURLToPath(new URL('./lab-process.ts', import.meta.url));

export interface Health {
  /** The most memory that the process ever had, in bytes. */
  readonly mostMemory: number;
  readonly memory: number;
  /** What is in use, without garbage, in bytes. */
  readonly kept: number;
  readonly connections: number;
}

/** A server with the database `Lab` in a process of its own. */
export class ServedLab implements AsyncDisposable {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #certificate: string;

  private constructor(child: ChildProcess, port: number, certificate: string) {
    this.#child = child;
    this.port = port;
    this.#certificate = certificate;
  }

  /** Starts it, with settings that differ from the defaults. */
  static async start(engine: EngineName, settings: Partial<Settings> = {}): Promise<ServedLab> {
    const child = fork(program, [engine, JSON.stringify(settings)]);
    const [{ port, certificate }] = await Promise.race([once(child, 'message'), endOf(child)]);
    return new ServedLab(child, port, await readFile(certificate, 'utf8'));
  }

  /** Logs in, over TLS when it is asked for. */
  async connect({ tls = false, packetSize = 4096 } = {}): Promise<RawClient> {
    if (!tls) return RawClient.login(this.port, { packetSize });
    const client = await RawClient.strict(this.port, this.#certificate);
    await client.prelogin();
    await client.logIn({ tdsVersion: tdsVersions['8.0'], packetSize });
    return client;
  }

  /** Logs in with MARS, over TLS. */
  async connectMars(): Promise<MarsClient> {
    const raw = await RawClient.strict(this.port, this.#certificate);
    return MarsClient.on(raw, { tdsVersion: tdsVersions['8.0'] });
  }

  async health(): Promise<Health> {
    this.#child.send('health');
    const [health] = await once(this.#child, 'message');
    return health;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }
}

/** Fails when the process ends. */
async function endOf(child: ChildProcess): Promise<never> {
  const [code, signal] = await once(child, 'exit');
  throw new Error(`the server ended with ${code ?? signal} before it had begun`);
}
