// Plain JavaScript: stripping types would cost this thread 18 MB.
import { fdatasyncSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** The indexes of the shared numbers, as in `sync-thread.ts`. */
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
  // A caller that stopped blocking for the result gets a message.
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
