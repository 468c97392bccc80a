import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServerClock } from './server-clock.ts';

test('a node uses the time of its database server, whatever its own clock shows', () => {
  let monotonic = 1000;
  const clock = new ServerClock(() => monotonic);
  clock.heard({ server: 5_000_000, asked: 990, answered: 1010 });
  assert.equal(clock.now().getTime(), 5_000_000);
  monotonic += 250;
  assert.equal(clock.now().getTime(), 5_000_250);
});

test('a reading that differs by no more than its round trip changes nothing, and one that differs by more is adopted', () => {
  const monotonic = 1000;
  const clock = new ServerClock(() => monotonic);
  clock.heard({ server: 5_000_000, asked: 1000, answered: 1000 });
  clock.heard({ server: 5_000_040, asked: 1000, answered: 1000 });
  clock.heard({ server: 5_000_400, asked: 0, answered: 2000 });
  assert.equal(clock.now().getTime(), 5_000_000);
  clock.heard({ server: 6_000_000, asked: 1000, answered: 1000 });
  assert.equal(clock.now().getTime(), 6_000_000);
});
