import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KeptTrees } from './kept-trees.ts';

describe('trees of recent batches', () => {
  test('a text that comes again is not read again', () => {
    const trees = new KeptTrees(10, 1_000_000);
    assert.equal(trees.read('select 1', {}), trees.read('select 1', {}));
  });

  test('the same text under other options or variables is another', () => {
    const trees = new KeptTrees(10, 1_000_000);
    const [quoted] = trees.read('select "a"', { quotedIdentifier: true });
    const [text] = trees.read('select "a"', { quotedIdentifier: false });
    assert.notDeepEqual(quoted, text);
    trees.read('select @a', { variables: ['@a'] });
    assert.throws(() => trees.read('select @a', { variables: ['@b'] }), { number: 137 });
    assert.throws(() => trees.read('select @a', {}), { number: 137 });
  });

  test('the least recently used go first, by count and by bytes', () => {
    const few = new KeptTrees(2, 1_000_000);
    const first = few.read('select 1', {});
    few.read('select 2', {});
    assert.equal(few.read('select 1', {}), first);
    few.read('select 3', {});
    assert.equal(few.count, 2);
    assert.equal(few.read('select 1', {}), first);
    const small = new KeptTrees(100, 10_000);
    for (let i = 0; i < 50; i++) small.read(`select ${i}`, {});
    assert.ok(small.count > 5 && small.count < 25, `${small.count} trees`);
  });

  test('a long text pushes out no other, and a password is not kept', () => {
    const trees = new KeptTrees(100, 10_000);
    const kept = trees.read('select 1', {});
    trees.read(`print '${'x'.repeat(1000)}'`, {});
    trees.read("create login a with password = 'Secret-1'", {});
    assert.equal(trees.count, 1);
    assert.equal(trees.read('select 1', {}), kept);
  });
});
