import { PassThrough } from 'node:stream';
import { run } from '../../src/cli/run.ts';
import { startServer } from '../support/server.ts';
import { type CommandResult, listening, portOf, type RunningServer } from './granary.ts';

/** Runs a command line inside this process, to its end, or until a signal: a process of its own takes longer to start than most commands. */
export async function runHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  until: AbortSignal = new AbortController().signal,
  input = '',
): Promise<CommandResult> {
  const { ended, output } = begin(args, environment, until, input);
  return { code: await ended, ...output() };
}

/** Runs `granary serve` inside this process until it listens; see `serve` for one in a process of its own. */
export async function serveHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Omit<RunningServer, 'child'>> {
  const ending = new AbortController();
  const { ended, output, stdout } = begin(['serve', ...listening(args)], environment, ending.signal);
  const port = await portOf(stdout, output, ended);
  const end = () => {
    ending.abort();
    return ended;
  };
  return { port, output, end, [Symbol.asyncDispose]: async () => void (await end()) };
}

/** A data folder that a server has made, with `password` for sa, and left. */
export async function leftData(): Promise<
  { readonly path: string; readonly flags: readonly string[] } & AsyncDisposable
> {
  const server = await startServer();
  await server.granary.stop();
  const path = server.granary.settings.data;
  return { path, flags: ['--data', path], [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function begin(args: readonly string[], environment: Readonly<Record<string, string>>, until: AbortSignal, input = '') {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const texts = { stdout: '', stderr: '' };
  stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.stdout += text;
  });
  stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.stderr += text;
  });
  const world = { environment, stdin: new PassThrough().end(input), stdout, stderr };
  const ended = run(args, { ...world, ending: () => until, onHangUp: () => {} });
  return { ended, stdout, output: () => ({ ...texts }) };
}
