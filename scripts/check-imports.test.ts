import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importFaults } from './check-imports.ts';
import { importsOfSource } from './imports.ts';
import { reExports } from './re-exports.ts';

const value = (from: string, to: string) => ({ from, to, isType: false });
const type = (from: string, to: string) => ({ from, to, isType: true });

test('an import against the table of rooms is a fault, unless only types cross', () => {
  assert.deepEqual(importFaults([value('base/log/log.ts', 'net/server.ts')]), [
    'src/base/log/log.ts may not import a value from src/net/server.ts',
  ]);
  assert.equal(importFaults([value('procedure/call.ts', 'engine/db.ts')]).length, 1);
  assert.equal(importFaults([type('procedure/call.ts', 'engine/db.ts')]).length, 0);
  assert.equal(importFaults([type('engine/db.ts', 'procedure/call.ts')]).length, 1);
  assert.equal(importFaults([value('main.ts', 'net/server.ts')]).length, 0);
});

test('a part of a room may be open where the rest is not', () => {
  assert.equal(importFaults([value('protocols/word/kind.ts', 'engine/sql.ts')]).length, 0);
  assert.equal(importFaults([value('protocols/word/kind.ts', 'engine/engine.ts')]).length, 1);
  assert.equal(importFaults([value('procedure/run/bind.ts', 'tds/types/index.ts')]).length, 0);
  assert.equal(importFaults([value('procedure/run/bind.ts', 'tds/packet/parser.ts')]).length, 1);
});

test('a cycle of value imports is a fault, one of types is none', () => {
  const [a, b, c] = ['base/a.ts', 'base/b.ts', 'base/c.ts'];
  assert.deepEqual(importFaults([value(a, b), value(b, c), value(c, a)]), [
    'import cycle: base/a.ts → base/b.ts → base/c.ts → base/a.ts',
  ]);
  assert.deepEqual(importFaults([value(a, b), value(b, c), type(c, a)]), []);
});

test('imports are read off the sources as they are written', () => {
  const imports = importsOfSource();
  const has = (from: string, to: string, isType: boolean) =>
    imports.some((edge) => edge.from === from && edge.to === to && edge.isType === isType);
  assert.ok(has('accounts/accounts.ts', 'base/messages/sql-error.ts', false));
  assert.ok(has('accounts/accounts.ts', 'base/clock.ts', true));
  assert.ok(imports.length > 100);
});

test('a name of another room is not handed on', () => {
  const faults = (text: string) => reExports('session/context.ts', text).length;
  assert.equal(faults("export { TempDb } from '../tsql/storage/temp-db.ts';"), 1);
  assert.equal(faults("export * from '../tsql/storage/temp-db.ts';"), 1);
  assert.equal(faults("import { TempDb } from '../tsql/storage/temp-db.ts';\n\nexport { TempDb };"), 1);
  assert.equal(faults("import type { Row } from '../base/stored.ts';\nexport type { Row };"), 1);
  assert.equal(faults("export { Ready } from './ready.ts';"), 0);
  assert.equal(reExports('tds/types/index.ts', "export { int } from './integers.ts';").length, 0);
});
