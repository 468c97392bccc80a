// Plain JavaScript: a thread that has to strip types first holds 18 MB for it.
import { fdatasyncSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** The places of the shared numbers, as `sync-thread.ts` has them. */
const [asked, done, descriptor, failure, wanted] = [0, 1, 2, 3, 4];
const shared = new Int32Array(workerData);

parentPort?.postMessage('loaded');
for (let last = 0; ; ) {
  Atomics.wait(shared, asked, last);
  last = Atomics.load(shared, asked);
  const file = Atomics.load(shared, descriptor);
  if (file < 0) break;
  Atomics.store(shared, failure, sync(file));
  Atomics.store(shared, done, last);
  Atomics.notify(shared, done);
  // Who waited in vain gets a message.
  if (Atomics.exchange(shared, wanted, 0) === 1) parentPort?.postMessage('done');
}

/** @param {number} file */
function sync(file) {
  try {
    fdatasyncSync(file);
    return 0;
  } catch (error) {
    return error instanceof Error && 'errno' in error && typeof error.errno === 'number' ? error.errno : -5;
  }
}
