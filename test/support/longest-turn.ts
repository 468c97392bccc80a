/** Milliseconds of processor time that this thread has used; other threads and processes do not count. */
function busyMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

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

/** The same work at every time: a text of 2,000,000 characters read once, in milliseconds of processor time. */
function yardstick(): number {
  const before = busyMilliseconds();
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  if (sum === 1) throw new Error('The loop must not be left out.');
  return busyMilliseconds() - before;
}
const text = 'granary '.repeat(250_000);

/** What the yardstick takes when nothing else uses this processor's caches and its other half. */
let shortest = Number.POSITIVE_INFINITY;

/** How many times slower this processor is now than at its best. */
function slowness(): number {
  const now = Math.min(yardstick(), yardstick());
  // The clock of a thread may stand still for longer than the yardstick takes.
  if (now === 0) return 1;
  shortest = Math.min(shortest, now);
  return now / shortest;
}
for (let warm = 0; warm < 20; warm++) slowness();

/**
 * The same, tried again a few times when it is above the bound, as a processor at its best would take: neither a
 * collection of garbage, nor a first compilation, nor a busy machine is the rule.
 */
export async function longestUsualTurn(work: () => Promise<unknown>, bound: number, tries = 6): Promise<number> {
  let longest = Number.POSITIVE_INFINITY;
  for (let left = tries; left > 0 && longest > bound; left--) {
    if (left < tries) globalThis.gc?.();
    const turn = await longestTurn(work);
    longest = Math.min(longest, turn > bound ? turn / slowness() : turn);
  }
  return longest;
}
