import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * The number of logins after which V8's young generation is kept from growing, and the number of calls after which it
 * may grow; a login cancels out several calls.
 */
const crowd = 16;
const load = 256;
const callsALogIn = 8;

/**
 * Sizes in bytes of one semi-space: up to which logins may make it grow, and which calls need; and the factor by which
 * it grows while it is below that.
 */
const forLogIns = 1_000_000;
const enough = 6_000_000;
const atOnce = 16;

let arrivals = 0;
let calls = 0;

/**
 * Must be called before a login. V8 doubles its young generation by how much survives, and everything that a session
 * keeps does: a crowd of clients that do nothing would make it take 32 MB, and as much garbage outside the heap.
 */
export function noteLogIn(): void {
  calls = Math.max(0, calls - callsALogIn);
  if (arrivals++ % crowd === 0) growBy(halfSize() < forLogIns ? 2 : 1);
}

/**
 * Must be called for each call. Hardly any of its garbage survives, so V8 would keep its young generation small and
 * collect it every hundred calls, delaying all of them.
 */
export function noteCall(): void {
  if (++calls < load) return;
  calls = 0;
  growBy(halfSize() < enough ? atOnce : 2);
}

/** The factor by which V8 grows it; Node offers no other way to set this at run time. */
const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

function halfSize(): number {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return young === undefined ? 0 : young.space_used_size + young.space_available_size;
}
