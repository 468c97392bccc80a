import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Log-ins after which V8's young generation is kept from growing, and calls, a log-in taking many, after which it may grow. */
const crowd = 16;
const load = 256;
const callsALogIn = 8;

/** Bytes of one half of it that log-ins may make it grow to, that calls are to have, and by how much it grows at once as long as they have not. */
const forLogIns = 1_000_000;
const enough = 6_000_000;
const atOnce = 16;

let arrivals = 0;
let calls = 0;

/**
 * Somebody is about to log in. V8 doubles its young generation by what survives, and all that a session keeps does: for a
 * crowd of clients that do nothing it would take 32 MB, and as much garbage outside of its heap.
 */
export function noteLogIn(): void {
  calls = Math.max(0, calls - callsALogIn);
  if (arrivals++ % crowd === 0) growBy(halfSize() < forLogIns ? 2 : 1);
}

/**
 * A call has come. Hardly anything of it survives, so V8 would leave its young generation small, and collect it every
 * hundred calls, each of which then waits.
 */
export function noteCall(): void {
  if (++calls < load) return;
  calls = 0;
  growBy(halfSize() < enough ? atOnce : 2);
}

/** What V8 multiplies its size with; Node has no other way to say it while it runs. */
const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

function halfSize(): number {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return young === undefined ? 0 : young.space_used_size + young.space_available_size;
}
