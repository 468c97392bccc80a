import { SqlError } from '../../src/base/messages/sql-error.ts';
import { busyMilliseconds, slowness } from '../support/yardstick.ts';
import type { Target } from './target.ts';

/** Milliseconds of this thread's processor time that one input may take on the reference of the yardstick. */
const longest = 1000;

/** Feeds an input to a target; what is wrong then, or undefined when it withstood it. */
export async function complaintOf(target: Target, input: Buffer): Promise<string | undefined> {
  const started = performance.now();
  try {
    await target.run(input);
  } catch (error) {
    if (!(error instanceof SqlError)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  // On a busy machine an input may have waited: only one that is slow by the thread's own time is.
  return performance.now() - started > longest ? usesTooMuch(target, input) : undefined;
}

async function usesTooMuch(target: Target, input: Buffer): Promise<string | undefined> {
  const before = busyMilliseconds();
  // What it throws has been looked at already.
  await (async () => target.run(input))().catch(() => {});
  const took = busyMilliseconds() - before;
  return took > longest * slowness() ? `took ${Math.round(took)} ms` : undefined;
}
