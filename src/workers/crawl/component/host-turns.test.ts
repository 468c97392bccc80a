import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '../../../client/client.ts';
import { HostTurns } from './host-turns.ts';

const never = new AbortController().signal;

test('a host that wants to be left alone is, by this component and through the store by all others', async (t) => {
  await using store = Client.create({ host: '127.0.0.1', port: 1, user: 'nobody', password: '', database: 'Store' });
  const taken: unknown[] = [];
  t.mock.method(store, 'call', async (_: unknown, input: unknown) => {
    taken.push(input);
    return { output: { Wait: 0 } };
  });
  const turns = new HostTurns(store);
  for (const wait of [60_000, 1000]) await turns.rest(9, wait);
  assert.deepEqual(taken.splice(0), [{ HostID: 9, Turns: 1, Interval: 60_000 }], 'a wait within another is none');
  const before = Date.now();
  await turns.rest(7, 100);
  await turns.take(8, 0, never);
  await turns.take(7, 0, never);
  await turns.take(7, 50, never);
  assert.ok(Date.now() - before >= 100);
  assert.equal(taken.length, 2, 'without an interval nobody takes turns');
});
