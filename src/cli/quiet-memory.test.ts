import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { QuietMemory } from './quiet-memory.ts';

/**
 * How often memory was returned after each look, at which the event loop had been busy for such a share of the time.
 */
async function returnedAt(shares: readonly number[]): Promise<number[]> {
  let [at, returned] = [0, 0];
  await using memory = new QuietMemory({
    open: async () => () => {
      returned++;
    },
    utilization: () => shares[at++] ?? 0,
  });
  await memory.start();
  return shares.map(() => {
    memory.look();
    return returned;
  });
}

test('memory is returned when a server has become quiet, a few times and then not until it was busy again', async () => {
  const [busy, rests] = [0.5, 0.01];
  assert.deepEqual(await returnedAt([busy, rests, rests]), [0, 0, 1]);
  assert.deepEqual(await returnedAt(new Array<number>(20).fill(rests)), [
    ...[0, 1, 2, 2, 2],
    ...new Array<number>(15).fill(3),
  ]);
  assert.deepEqual(await returnedAt([rests, busy, rests, busy, rests, rests]), [0, 0, 0, 0, 0, 1]);
});

test('a server whose system cannot take memory back goes without', async () => {
  await using memory = new QuietMemory({ open: async () => undefined, utilization: () => 0 });
  await memory.start();
  for (let look = 0; look < 10; look++) memory.look();
});

/**
 * Frees nineteen of twenty buffers, and prints how many megabytes the process holds before and after it returns them.
 */
const program = `
  const { openTrim } = await import(process.argv[1]);
  const trim = await openTrim();
  let buffers = Array.from({ length: 50_000 }, () => Buffer.allocUnsafeSlow(3000).fill(1));
  buffers = buffers.filter((_, at) => at % 20 === 0);
  gc();
  await new Promise((resolve) => setTimeout(resolve, 200));
  const held = () => Math.round(process.memoryUsage.rss() / 1e6);
  const before = held();
  trim?.();
  console.log(JSON.stringify({ hasTrim: trim !== undefined, before, after: held(), kept: buffers.length }));`;

test('pages that lie free between others go back to the system', (t) => {
  const module = new URL('./freed-memory.ts', import.meta.url).href;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program, module],
    { encoding: 'utf8' },
  );
  assert.equal(stderr, '');
  const { hasTrim, before, after } = JSON.parse(stdout);
  if (!hasTrim) return t.skip('the C library has no malloc_trim');
  assert.ok(before - after > 70, `${before} MB before, ${after} MB after`);
});
