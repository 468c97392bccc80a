import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Distribution, Family } from '../base/log/measures.ts';
import type { ServerView } from '../procedure/server-view.ts';
import { type Status, type StatusSources, statusRoute } from './status.ts';

const away = () => Promise.reject(new Error('PostgreSQL does not answer'));

/** A server whose engine is away. */
const sources = (): StatusSources => ({
  release: '1.2.3',
  address: () => '127.0.0.1:1433',
  engine: { name: 'postgres', sizes: away },
  // Only what the status asks for.
  view: {
    name: 'FARM',
    started: new Date(0),
    sessions: () => [],
    databases: away,
    waits: away,
  } as unknown as ServerView,
  calls: new Family(['database', 'procedure'], () => new Distribution([1])),
  certificate: { until: new Date(0), trouble: () => undefined },
  perSecond: () => 0,
  checks: async () => [{ name: 'engine', run: away }],
});

describe('/status', () => {
  it('answers while the engine is away, and says that it is', async () => {
    const { status, body } = await statusRoute(sources()).answer();
    const told: Status = JSON.parse(body);
    assert.equal(status, 200);
    assert.deepEqual(told.databases, []);
    assert.deepEqual(told.wrong, ['engine: PostgreSQL does not answer']);
  });

  it('gives the reason that the check of the engine knows, not that others had no answer', async () => {
    const reason = async () => 'PostgreSQL cannot be reached: connect ECONNREFUSED';
    const { body } = await statusRoute({
      ...sources(),
      checks: async () => [{ name: 'engine', run: reason }],
    }).answer();
    const told: Status = JSON.parse(body);
    assert.deepEqual(told.wrong, [`engine: ${await reason()}`]);
  });

  it('counts a certificate that has run out among what is wrong', async () => {
    const certificate = { until: new Date(0), trouble: () => 'it ran out' };
    const { body } = await statusRoute({ ...sources(), checks: async () => [], certificate }).answer();
    const told: Status = JSON.parse(body);
    assert.equal(told.certificateUntil, '1970-01-01T00:00:00.000Z');
    assert.equal(told.wrong.at(-1), 'certificate: it ran out');
  });

  it('names the slowest procedures first', async () => {
    const all = sources();
    all.calls.of('d', 'quick').add(0.001);
    all.calls.of('d', 'slow').add(0.5);
    const { body } = await statusRoute(all).answer();
    const told: Status = JSON.parse(body);
    assert.deepEqual(
      told.slowest.map(({ procedure, meanMs }) => [procedure, meanMs]),
      [
        ['slow', 500],
        ['quick', 1],
      ],
    );
  });
});
