import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingPaths } from './check-docs.ts';

const everything = { exists: () => true, hasSource: () => true };

test('a path that a page names in backticks or in a link must be there', () => {
  const there = new Set(['src/main.ts', 'docs/decisions.md']);
  const text =
    'See `src/main.ts`, `src/gone.ts`, [why](decisions.md#x), [lost](lost.md), [web](https://example.com), `src/**`.';
  assert.deepEqual(missingPaths('docs/a.md', text, { ...everything, exists: (path) => there.has(path) }), [
    'src/gone.ts',
    'docs/lost.md',
  ]);
});

test('a source that a page names by the last part of its path must be there', () => {
  const there = new Set(['copied.ts', 'master/begin.ts']);
  const text = 'See `copied.ts`, `renamed.ts`, `master/begin.ts`, `component/begin.ts`, `report.docx`, `seals.json`.';
  assert.deepEqual(missingPaths('docs/a.md', text, { ...everything, hasSource: (ending) => there.has(ending) }), [
    'renamed.ts',
    'component/begin.ts',
  ]);
});
