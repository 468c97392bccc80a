import { collectGarbage } from './memory-in-use.ts';
import { busyMilliseconds, slowness } from './yardstick.ts';

/** The longest turn of the event loop while work runs, in milliseconds of this thread's processor time. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  await new Promise(setImmediate);
  let watching = true;
  let longest = 0;
  let before = busyMilliseconds();
  const look = (): void => {
    const now = busyMilliseconds();
    longest = Math.max(longest, now - before);
    before = now;
    if (watching) setImmediate(look);
  };
  setImmediate(look);
  try {
    await work();
  } finally {
    look();
    watching = false;
  }
  return longest;
}

/**
 * The same as the machine would take that bounds are promised for, tried again a few times when it is above the bound:
 * neither a collection of garbage, nor a first compilation, nor a slow or busy machine is the rule.
 */
export async function longestUsualTurn(work: () => Promise<unknown>, bound: number, tries = 6): Promise<number> {
  let longest = Number.POSITIVE_INFINITY;
  for (let left = tries; left > 0 && longest > bound; left--) {
    if (left < tries) collectGarbage();
    const turn = await longestTurn(work);
    longest = Math.min(longest, turn > bound ? turn / slowness() : turn);
  }
  return longest;
}
