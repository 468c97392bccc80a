/**
 * Streams that all pages of this browser have open together; it has six connections to a server, and requests need
 * some.
 */
const places = ['granary-stream-1', 'granary-stream-2', 'granary-stream-3', 'granary-stream-4'];

/** Takes one of the places for a stream of events, until the signal is aborted; false where all are taken. */
export async function takePlace(until: AbortSignal): Promise<boolean> {
  if (!('locks' in navigator)) return true; // an old browser
  for (const name of places) {
    if (until.aborted) return false;
    const isMine = await new Promise<boolean>((resolve) => {
      void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        if (lock === null || until.aborted) return;
        return new Promise((release) => until.addEventListener('abort', release));
      });
    });
    if (isMine) return !until.aborted;
  }
  return false;
}
