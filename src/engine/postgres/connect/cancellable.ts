import type { WriteJob } from '../../job.ts';
import type { Link } from '../wire/link.ts';

/**
 * Milliseconds before a group starts to listen for cancellations: most groups have ended by then, and a listener per
 * call costs more.
 */
const unheard = 100;

/** Cancels a long-running group when one of its calls is cancelled: the others are run again without it. */
export function cancellable(link: Link, jobs: readonly WriteJob<unknown>[]): AsyncDisposable {
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= link.cancel();
  };
  const timer = setTimeout(() => {
    for (const { signal } of jobs) {
      if (signal?.aborted === true) stop();
      signal?.addEventListener('abort', stop, { once: true });
    }
  }, unheard);
  return {
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      for (const { signal } of jobs) signal?.removeEventListener('abort', stop);
      // A cancel in progress would otherwise hit the next statement of this connection.
      await stopped;
    },
  };
}
