import process from 'node:process';
import { run } from './run.ts';

/** A second signal this much later (milliseconds) means it: a terminal's Ctrl+C reaches parent and child at once. */
const insistence = 1_000;

/** How often (milliseconds) a server that npm started looks whether npm is still there. */
const parentPoll = 250;

/** Runs the command line of this process, to its exit code. */
export async function main(): Promise<void> {
  // A reader of the output that goes away (`| head`) is no reason to stop serving.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const code = await run(process.argv.slice(2), {
    environment: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    ending: () => endingOf(process),
    onHangUp: (handler) => {
      process.removeAllListeners('SIGHUP');
      process.on('SIGHUP', handler);
    },
  });
  process.exit(code);
}

function endingOf(of: NodeJS.Process): AbortSignal {
  const ending = new AbortController();
  let asked = 0;
  const end = () => {
    const now = Date.now();
    if (asked > 0 && now - asked > insistence) of.exit(1);
    asked ||= now;
    ending.abort();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) of.on(signal, end);
  // Started by bin/granary.js on an older Node, or by npm: when that process is gone, so is the reason to run.
  of.on('disconnect', end);
  of.channel?.unref();
  if (of.env['npm_lifecycle_event'] !== undefined) whenOrphaned(of, end);
  return ending.signal;
}

/** npm does not notify its child when it is killed; a child detects it by its new parent. */
function whenOrphaned(of: NodeJS.Process, end: () => void): void {
  const parent = of.ppid;
  const timer = setInterval(() => {
    if (of.ppid === parent) return;
    clearInterval(timer);
    end();
  }, parentPoll);
  timer.unref();
}
