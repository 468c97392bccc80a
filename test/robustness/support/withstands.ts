import assert from 'node:assert/strict';
import { type Experience, Innocent } from './innocent.ts';
import type { ServedLab } from './served-lab.ts';
import { megabyte } from './streaming.ts';

/** What a server may hold for those who attack it, and what it may make and drop meanwhile: bytes. */
const [mostKept, mostGrown] = [200 * megabyte, 1024 * megabyte];

/** Milliseconds that an innocent call may take on a machine that is slow and busy; who is kept waiting waits forever. */
const longestCall = 15_000;

/**
 * Runs an attack beside an innocent session, which must be served on. While its clients are still there the server must
 * hold little for them; what it makes and drops in the meantime is the collector's, within a bound that a leak breaks.
 */
export async function withstands(
  lab: ServedLab,
  attack: (port: number, clients: AsyncDisposableStack) => Promise<void>,
): Promise<Experience> {
  await using innocent = await Innocent.start(lab.port);
  await using clients = new AsyncDisposableStack();
  const before = await lab.health();
  await attack(lab.port, clients);
  const after = await lab.health();
  const experience = await innocent.experience();
  const [kept, grown] = [after.kept - before.kept, after.mostMemory - before.mostMemory];
  assert.ok(kept < mostKept, `${Math.round(kept / megabyte)} MB are kept`);
  assert.ok(grown < mostGrown, `memory grew by ${Math.round(grown / megabyte)} MB`);
  assert.ok(experience.longest < longestCall, `an innocent call took ${experience.longest} ms`);
  assert.ok(experience.calls > 0);
  return experience;
}
