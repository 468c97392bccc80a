import { spawn, spawnSync } from 'node:child_process';
import { ManualClock } from '../../src/base/clock.ts';
import { engineNames } from '../support/engines.ts';
import { password, startServer } from '../support/server.ts';
import type { Check, Facts } from './checks.ts';
import { moment } from './expected.ts';
import { type ClientPackages, howToInstall } from './packages.ts';

/** What is under the server that clients are tried with: SQLite, unless GRANARY_TEST_CLIENTS says `postgres`. */
const engine = engineNames.find((name) => name === process.env['GRANARY_TEST_CLIENTS']) ?? 'sqlite';

/** A client that hangs is a failure; a busy machine is not. */
const longest = 240_000;

/** What a run of a client's script told: the facts of each check, and the client's own version. */
export interface Told {
  readonly version: string;
  readonly facts: ReadonlyMap<Check, Facts>;
}

/** Why a client cannot be run here, or undefined when it can. */
export function missing(client: ClientPackages): string | undefined {
  const found = spawnSync('sh', ['-c', client.probe], { stdio: 'ignore' }).status === 0;
  return found ? undefined : `${client.title} is not installed: ${howToInstall(client)}`;
}

/** Runs a client's script against a server of its own and reads the lines of JSON that it prints. */
export async function runScript(
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Told> {
  await using server = await startClientServer();
  return readLines(await outputOf(command, { ...server.environment, ...environment }));
}

/** A server whose clock stands still, and what a client's program must know of it. */
export async function startClientServer(): Promise<AsyncDisposable & { environment: Record<string, string> }> {
  const server = await startServer({ engine, clock: new ManualClock(`${moment}Z`) });
  return {
    environment: {
      GRANARY_HOST: '127.0.0.1',
      GRANARY_PORT: String(server.port),
      GRANARY_PASSWORD: password,
      GRANARY_CA: server.granary.settings.tlsCert ?? '',
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Runs a program beside this file and returns what it printed; rejects when it fails. */
export function outputOf([command = '', ...args]: readonly string[], environment: Readonly<Record<string, string>>) {
  return new Promise<string>((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: import.meta.dirname,
      env: { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC', PYTHONDONTWRITEBYTECODE: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longest,
    });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => errors.push(bytes));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const output = Buffer.concat(out).toString();
      if (code === 0) return resolve(output);
      reject(new Error(`${command} ended with ${signal ?? code}:\n${output.slice(-4000)}\n${Buffer.concat(errors)}`));
    });
  });
}

function readLines(output: string): Told {
  const facts = new Map<Check, Facts>();
  let version = '';
  for (const line of output.split('\n').filter((text) => text !== '')) {
    const { check, ...told } = JSON.parse(line);
    if (check === 'client') version = String(told.version);
    else facts.set(check, told);
  }
  return { version, facts };
}
