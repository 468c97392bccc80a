import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SlowingPace } from './slowing-pace.ts';

test('looks come at their first pace while something changes, and once a second when nothing has for ten', () => {
  const pace = new SlowingPace(100);
  for (let look = 0; look < 50; look++) {
    pace.see({ look });
    assert.equal(pace.next(), 100);
  }
  let passed = 0;
  for (let last = 0; last < 1000; passed += last) {
    pace.see({ look: 50 });
    const next = pace.next();
    assert.ok(next >= last && next <= 1000);
    last = next;
  }
  assert.ok(passed > 5000 && passed < 15_000, String(passed));
  pace.see({ look: 51 });
  assert.equal(pace.next(), 100);
});
