import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { Random } from './random.ts';
import { complaintOf } from './survives.ts';
import { targets } from './targets.ts';

/** What the worker is to do: which target, with which seed, from which input on, for how long. */
export interface Work {
  readonly target: string;
  readonly seed: number;
  readonly from: number;
  readonly inputs: number;
  readonly seconds: number;
  /** Where it notes which input it is at. */
  readonly at: SharedArrayBuffer;
}

/** What it tells. */
export type Word =
  | { readonly complaint: string; readonly input: number; readonly bytes: Uint8Array }
  | { readonly done: number; readonly grown: number };

setFlagsFromString('--expose-gc');

/** Bytes of heap in use after everything that can go is gone: buffers go a turn after what held them. */
async function heldBytes(): Promise<number> {
  for (let times = 0; times < 3; times++) {
    (globalThis as { gc?: () => void }).gc?.();
    await delay(20);
  }
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
}

async function work({ target: name, seed, from, inputs, seconds, at }: Work): Promise<void> {
  const target = targets.find((each) => each.name === name);
  if (target === undefined) throw new Error(`there is no target ${name}`);
  await using _ = await target.open?.();
  const place = new Int32Array(at);
  const tell = (word: Word) => parentPort?.postMessage(word);
  const end = performance.now() + seconds * 1000;
  let held = 0;
  let input = from;
  for (; input < from + inputs; input++) {
    Atomics.store(place, 0, input);
    const bytes = target.make(Random.of(seed, name, input));
    const complaint = await complaintOf(target, bytes);
    if (complaint !== undefined) tell({ complaint, input, bytes });
    // Caches are warm after a while; from then on nothing may grow.
    if (input - from === 2000) held = await heldBytes();
    if (input % 64 === 0) {
      if (performance.now() > end) break;
      await new Promise(setImmediate);
    }
  }
  tell({ done: input - from, grown: held === 0 ? 0 : (await heldBytes()) - held });
}

await work(workerData as Work);
process.exit();
