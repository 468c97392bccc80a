import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../../src/cli/run.ts';
import type { CommandResult } from './granary.ts';

/** Runs a command line inside this process, to its end, or until a signal: a process of its own takes longer to start than most commands. */
export async function runHere(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  until: AbortSignal = new AbortController().signal,
): Promise<CommandResult> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const code = await run(args, {
    environment,
    stdin: new PassThrough().end(),
    stdout,
    stderr,
    ending: () => until,
  });
  stdout.end();
  stderr.end();
  const [out, errors] = await said;
  return { code, stdout: out, stderr: errors };
}
