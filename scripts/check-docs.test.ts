import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingPaths } from './check-docs.ts';

test('a path that a page names in backticks or in a link must be there', () => {
  const there = new Set(['src/main.ts', 'docs/decisions.md']);
  const text =
    'See `src/main.ts`, `src/gone.ts`, [why](decisions.md#x), [lost](lost.md), [web](https://example.com), `src/**`.';
  assert.deepEqual(
    missingPaths('docs/a.md', text, (path) => there.has(path)),
    ['src/gone.ts', 'docs/lost.md'],
  );
});
