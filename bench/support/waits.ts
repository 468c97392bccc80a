import { setTimeout as delay } from 'node:timers/promises';
import { type Caller, timeOf } from './load.ts';

/** Milliseconds that a session rests between two calls, so that those who call take little from the work beside them. */
const rest = 2;

/** The longest that each session waited for an answer while some work was done, in milliseconds. */
export async function longestWaits(
  sessions: Readonly<Record<string, Caller>>,
  work: () => Promise<unknown>,
): Promise<ReadonlyMap<string, number>> {
  let isOver = false;
  const longest = new Map<string, number>();
  const watch = async ([name, call]: [string, Caller]): Promise<void> => {
    while (!isOver) {
      longest.set(name, Math.max(longest.get(name) ?? 0, await timeOf(call)));
      await delay(rest);
    }
  };
  const watching = Object.entries(sessions).map(watch);
  await work().finally(() => {
    isOver = true;
  });
  await Promise.all(watching);
  return longest;
}
