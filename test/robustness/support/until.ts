import { setTimeout as delay } from 'node:timers/promises';

const interval = 5;
const usual = 120_000;

/** Looks again and again until something is so, and fails with `what` when it never is within so many milliseconds. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, patience = usual): Promise<void> {
  const end = performance.now() + patience;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`never happened: ${what}`);
    await delay(interval);
  }
}
