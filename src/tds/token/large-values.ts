import type { Steps } from '../../base/steps.ts';

/** Characters or bytes from which on values are sent piece by piece. */
const large = 128 * 1024;

/** The characters or bytes of a value that may have many. */
export const lengthOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;

/** True for so many characters or bytes that others wait too long for all of them at once. */
export const isLarge = (length: number): boolean => length > large;

/**
 * Sends what steps write as they write it. A value whose length was told must be whole: once `flush` has failed, the rest
 * is sent by `finish`, and the failure returned.
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
