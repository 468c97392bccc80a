import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foldedName, safeName } from './names.ts';

test('a plain name is its own file name', () => {
  assert.equal(safeName('WSS_Config-1', 50), 'wss_config-1');
});

test('whatever the name, the file name is safe and short enough', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 128, unit: 'grapheme' }),
      fc.integer({ min: 20, max: 100 }),
      (name, room) => {
        const safe = safeName(name, room);
        assert.match(safe, /^[a-z0-9_-]+$/);
        assert.ok(safe.length <= room);
      },
    ),
  );
});

test('two names share a file name only when they are the same but for case', () => {
  const name = fc.string({
    minLength: 1,
    maxLength: 40,
    unit: fc.constantFrom('a', 'A', 'b', '.', '/', ' ', '-', 'ä'),
  });
  fc.assert(
    fc.property(name, name, (one, other) => {
      assert.equal(safeName(one, 30) === safeName(other, 30), foldedName(one) === foldedName(other));
    }),
  );
});
