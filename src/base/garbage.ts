import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of buffers that may be left behind before they are collected. */
const enough = 8 * 1024 ** 2;

type Collect = (options: { readonly type: 'minor' }) => void;

let collect: Collect | undefined;
let left = 0;

/**
 * Notes that large buffers of so many bytes were used and left behind. V8 sees only their small heads and lets more
 * than 100 MB of them pile up; a collection of the young ones in time takes a fraction of a millisecond and keeps the
 * memory of a server flat while gigabytes pass through it.
 */
export function leftBehind(bytes: number): void {
  left += bytes;
  if (left < enough) return;
  left = 0;
  collect ??= exposedCollect();
  collect({ type: 'minor' });
}

/** Node has no other way to ask for a collection. */
function exposedCollect(): Collect {
  setFlagsFromString('--expose-gc');
  const gc: Collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return gc;
}
