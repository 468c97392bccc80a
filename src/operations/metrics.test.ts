import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Measures } from '../base/log/measures.ts';
import { metricsRoute } from './metrics.ts';

const never = () => new Promise<never>(() => {});

describe('/metrics', () => {
  it('leaves out what does not answer before Prometheus gives up, and counts it', async (t) => {
    const measures = new Measures();
    measures.gauge('granary_stalled', 'What nobody can tell now.', never);
    measures.gauge('granary_told', 'What can be told.', async () => [{ labels: {}, value: 7 }]);
    const waited: number[] = [];
    // What has not answered by then never will: the time need not pass.
    t.mock.method(globalThis, 'setTimeout', (over: () => void, milliseconds: number) => {
      waited.push(milliseconds);
      return setImmediate(over);
    });
    const { status, body } = await metricsRoute(measures, never).answer();
    assert.equal(status, 200);
    assert.match(body, /^granary_told 7$/m);
    assert.doesNotMatch(body, /^granary_stalled /m);
    assert.match(body, /^granary_scrape_failures_total\{figure="databases"\} 1$/m);
    assert.ok(2 * Math.max(...waited) < 10_000, `one after the other: ${waited}`);
  });
});
