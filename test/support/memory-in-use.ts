import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** Collects what nobody needs any more. */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

/** The bytes that this process uses, without garbage: how much of that lies about depends on the machine. */
export function memoryInUse(): number {
  // The second ends what the first began: bytes outside the heap are freed beside the program, and counted until then.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
