import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportFaults } from './check-exports.ts';

const files = (...of: readonly (readonly [string, string])[]) => exportFaults(new Map(of));

test('an export that nobody imports is a fault, one for tests is told', () => {
  const text = 'export const a = 1;\nexport interface B {}\nexport async function c() {}\nexport class D {}';
  const { nobody, onlyTests } = files(
    ['src/x.ts', text],
    ['src/y.ts', "import { a, type B } from './x.ts';"],
    ['src/x.test.ts', "import { c } from './x.ts';"],
  );
  assert.deepEqual(nobody, ['src/x.ts exports D, which nobody imports']);
  assert.deepEqual(onlyTests, ['src/x.ts exports c for tests']);
});

test('imports of all of a file, later ones and renamed ones count', () => {
  const uses = [
    "import * as x from './x.ts';",
    "const { a } = await import('./x.ts');",
    "void import('./x.ts').then(({ a }) => a);",
    "import { a as b } from './x.ts';",
    "export { a } from './x.ts';",
    "type A = typeof import('./x.ts').a;",
  ];
  for (const use of uses)
    assert.deepEqual(files(['src/x.ts', 'export const a = 1;'], ['src/y.ts', use]).nobody, [], use);
});
