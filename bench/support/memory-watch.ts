import { setTimeout as delay } from 'node:timers/promises';
import type { BenchServer } from './server.ts';

/** Milliseconds between two looks at the memory. */
const interval = 50;

/** How much the server's memory grows at most above what it held before, while something goes on; in bytes. */
export async function growthWhile(
  server: BenchServer,
  before: number,
  something: () => Promise<unknown>,
): Promise<number> {
  let most = before;
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      most = Math.max(most, server.memory());
      await delay(interval);
    }
  })();
  await something();
  isOver = true;
  await watch;
  return Math.max(most, server.memory()) - before;
}
