import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from './pace.ts';

test('what is followed is looked at as often as it is worth, and all of it together for a twentieth of the time at most', () => {
  const pace = new Pace();
  const [list, job, sessions] = [{}, {}, {}];
  assert.equal(pace.pause(list, 5000, 10), 5000);
  assert.equal(pace.pause(list, 5000, 400), 8000, 'a look that takes long');
  assert.equal(pace.pause(job, 3000, 100), 10_000, 'the list takes its part');
  assert.equal(pace.pause(list, 5000, 10), 5000);
  assert.equal(pace.pause(sessions, 3000, 90), 4000, '10, 100 and 90 milliseconds in 4,000');
  pace.forget(job);
  assert.equal(pace.pause(sessions, 3000, 90), 3000);
  assert.equal(pace.pause(list, 5000, 4000), 80_000);
  assert.equal(pace.pause(sessions, 3000, 90), 30_000, 'for the sake of others one waits no longer');
});
