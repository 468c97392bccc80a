import { stat } from 'node:fs';

/** Milliseconds between two requests to the pool. */
const every = 1000;

/**
 * Sends a request to Node's thread pool every second while work is running. A bug in glibc's condition variables
 * (25847, before 2.41; Debian 12 has it) occasionally leaves a thread asleep although it was signalled. What it was
 * signalled for, a sync of the log or the close of a file, then waits for the next request, or forever if there is
 * none: a backup once stood still for 13 minutes.
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
