import { stat } from 'node:fs';

/** Milliseconds after which the pool is asked again. */
const every = 1000;

/**
 * Asks something of Node's pool of threads every second for as long as work goes on. A bug of glibc's conditions (25847, before
 * 2.41, Debian 12 has it) now and then lets a thread sleep though it was called: what it was called for, a sync of the log or
 * the close of a file, then waits for the next request, for ever where there is none. A backup stood still so for 13 minutes.
 */
export async function withAwakePool<T>(work: () => Promise<T>, ask: () => void = askPool): Promise<T> {
  const timer = setInterval(ask, every);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

const askPool = (): void => stat('/', () => {});
