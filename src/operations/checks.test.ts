import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Engine } from '../engine/engine.ts';
import { engineChecks } from './checks.ts';
import { healthRoutes } from './health.ts';

const never = () => new Promise<never>(() => {});

/** An engine that does not answer; only what the checks ask for. */
const stalled = (absence?: string) =>
  ({ name: 'postgres', list: never, open: never, absence: () => absence, refusal: never }) as unknown as Engine;

async function reasons(engine: Engine): Promise<unknown> {
  const ready = healthRoutes(() => engineChecks(engine, '/')).find(({ path }) => path === '/readyz');
  const { status, body } = (await ready?.answer()) ?? {};
  assert.equal(status, 503);
  return JSON.parse(body ?? '').checks;
}

describe('/readyz', () => {
  it('says within the time of one check that the engine does not answer, and why where that is known', async (t) => {
    const waited: number[] = [];
    // What has not answered by then never will: the time need not pass.
    t.mock.method(globalThis, 'setTimeout', (over: () => void, milliseconds: number) => {
      waited.push(milliseconds);
      return setImmediate(over);
    });
    assert.deepEqual(await reasons(stalled()), [{ name: 'engine', ok: false, reason: 'no response within 5 s' }]);
    const reason = 'PostgreSQL cannot be reached: connect ECONNREFUSED';
    assert.deepEqual(await reasons(stalled(reason)), [{ name: 'engine', ok: false, reason }]);
    assert.ok(Math.max(...waited) <= 5_000);
  });
});
