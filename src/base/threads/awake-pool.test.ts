import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withAwakePool } from './awake-pool.ts';

test('the pool of threads is asked every second while work goes on, and not after it, however it ends', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let asked = 0;
  const { promise, reject } = Promise.withResolvers<void>();
  const work = withAwakePool(
    () => promise,
    () => asked++,
  );
  t.mock.timers.tick(3000);
  assert.equal(asked, 3);
  reject(new Error('failed'));
  await assert.rejects(work, /failed/);
  t.mock.timers.tick(3000);
  assert.equal(asked, 3);
});
