/** Caches the result of a read for some milliseconds, however many callers ask for it. */
export function keptFor<T>(milliseconds: number, read: () => Promise<T>, now = () => performance.now()) {
  let known: { readonly value: Promise<T>; readonly since: number } | undefined;
  return (): Promise<T> => {
    if (known === undefined || now() - known.since >= milliseconds) {
      const asked = { value: read(), since: now() };
      known = asked;
      asked.value.catch(() => {
        if (known === asked) known = undefined; // a failure is not cached
      });
    }
    return known.value;
  };
}

/** Loads something when it is first needed, once; a failed load is tried again. */
export const loadedOnce = <T>(load: () => Promise<T>) => keptFor(Number.POSITIVE_INFINITY, load);
