import type { Host } from '../../src/tsql/host.ts';
import { batch } from './recorder.ts';

/** What batches, one after another, return and raise. */
export async function runBatches(host: Host, texts: readonly string[]) {
  const sets: unknown[][][] = [];
  const errors: number[] = [];
  for (const text of texts) {
    const recorder = await batch(host, text);
    sets.push(...recorder.sets.map((set) => set.rows));
    errors.push(...recorder.errors.map(({ number }) => number));
  }
  return { sets, errors };
}
