import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The command. */
export const bin = fileURLToPath(new URL('../../bin/granary.js', import.meta.url));

export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The Node to run it on, when it is not the one that runs the tests. */
  readonly node?: string;
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own for a test, removed at its end. */
export const temporaryFolder = () => mkdtempDisposable(join(tmpdir(), 'granary-cli-'));

/** Runs a command to its end. */
export async function granary(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { child, output } = start(args, options);
  child.stdin?.on('error', () => {}); // a command that ends without reading its input says why by its exit code
  child.stdin?.end(options.input ?? '');
  const [code] = await once(child, 'close');
  return { code, ...output() };
}

/** A server that listens. */
export interface RunningServer extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly port: number;
  output(): { readonly stdout: string; readonly stderr: string };
  /** Sends a signal and returns the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The flags of a server on a free port, without HTTP and without workers, unless they say otherwise. */
export const listening = (args: readonly string[]): readonly string[] => [
  ...(args.includes('--port') ? [] : ['--port', '0']),
  ...(args.includes('--http-port') ? [] : ['--http-port', 'off']),
  ...(args.includes('--workers') ? [] : ['--workers', 'off']),
  ...args,
];

/** The port that a server says it listens on; fails with what it said when it ends before. */
export function portOf(
  stdout: Readable,
  said: RunningServer['output'],
  ended: Promise<number | null>,
): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    stdout.on('data', () => {
      const found = /^listening on .*:(\d+)$/m.exec(said().stdout);
      if (found) resolve(Number(found[1]));
    });
    ended.then((code) => reject(new Error(`granary serve ended with ${code}: ${said().stderr}`)), reject);
  });
}

/** Runs `granary serve` in a process of its own until it listens; fails with what it said when it ends before. */
export async function serve(args: readonly string[], options: CommandOptions = {}): Promise<RunningServer> {
  const { child, output } = start(['serve', ...listening(args)], options);
  const closed = once(child, 'close').then(([code]): number | null => code);
  const port = await portOf(child.stdout, output, closed);
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return closed;
  };
  return { child, port, output, end, [Symbol.asyncDispose]: async () => void (await end('SIGKILL')) };
}

function start(args: readonly string[], { environment = {}, node = process.execPath }: CommandOptions) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GRANARY_'));
  const child = spawn(node, [bin, ...args], { env: { ...Object.fromEntries(inherited), ...environment } });
  const texts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.stderr += text;
  });
  return { child, output: () => ({ ...texts }) };
}
