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

/** The same, tried again a few times when it is above the bound: a collection of garbage or a first compilation is no rule. */
export async function longestUsualTurn(work: () => Promise<unknown>, bound: number, tries = 4): Promise<number> {
  let longest = Number.POSITIVE_INFINITY;
  for (let left = tries; left > 0 && longest > bound; left--) {
    if (left < tries) globalThis.gc?.();
    longest = Math.min(longest, await longestTurn(work));
  }
  return longest;
}
