import type { Steps } from '../../base/threads/steps.ts';

/** The number of characters or bytes above which values are sent piece by piece. */
const large = 128 * 1024;

/** The number of characters or bytes of a value that may be long. */
export const lengthOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;

/** True for values so long that others would wait too long if they were sent at once. */
export const isLarge = (length: number): boolean => length > large;

/**
 * Sends the output of steps as it is written. A value whose length has been announced must be completed: once `flush`
 * has failed, the rest is sent by `finish`, and the failure is returned.
 */
export async function sendSteps(
  steps: Steps<void>,
  flush: () => void | Promise<void>,
  finish: () => void | Promise<void>,
): Promise<{ readonly thrown: unknown } | undefined> {
  let failure: { readonly thrown: unknown } | undefined;
  while (!steps.next().done) {
    try {
      const wait = failure ? finish() : flush();
      if (wait) await wait;
    } catch (thrown) {
      if (failure) throw thrown;
      failure = { thrown };
    }
  }
  return failure;
}
