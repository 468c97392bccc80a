import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Turn } from '../../base/threads/turn.ts';
import { KeptTrees } from './kept-trees.ts';

const turn = new Turn();

describe('trees of recent batches', () => {
  test('a text that comes again is not read again', async () => {
    const trees = new KeptTrees(10, 1_000_000);
    assert.equal(await trees.read('select 1', {}, turn), await trees.read('select 1', {}, turn));
  });

  test('the same text under other options or variables is another', async () => {
    const trees = new KeptTrees(10, 1_000_000);
    const [quoted] = await trees.read('select "a"', { quotedIdentifier: true }, turn);
    const [text] = await trees.read('select "a"', { quotedIdentifier: false }, turn);
    assert.notDeepEqual(quoted, text);
    await trees.read('select @a', { variables: ['@a'] }, turn);
    await assert.rejects(() => trees.read('select @a', { variables: ['@b'] }, turn), { number: 137 });
    await assert.rejects(() => trees.read('select @a', {}, turn), { number: 137 });
  });

  test('the least recently used go first, by count and by bytes', async () => {
    const few = new KeptTrees(2, 1_000_000);
    const first = await few.read('select 1', {}, turn);
    await few.read('select 2', {}, turn);
    assert.equal(await few.read('select 1', {}, turn), first);
    await few.read('select 3', {}, turn);
    assert.equal(few.count, 2);
    assert.equal(await few.read('select 1', {}, turn), first);
    const small = new KeptTrees(100, 10_000);
    for (let i = 0; i < 50; i++) await small.read(`select ${i}`, {}, turn);
    assert.ok(small.count > 5 && small.count < 25, `${small.count} trees`);
  });

  test('a long text pushes out no other, and a password is not kept', async () => {
    const trees = new KeptTrees(100, 10_000);
    const kept = await trees.read('select 1', {}, turn);
    await trees.read(`print '${'x'.repeat(1000)}'`, {}, turn);
    await trees.read("create login a with password = 'Secret-1'", {}, turn);
    assert.equal(trees.count, 1);
    assert.equal(await trees.read('select 1', {}, turn), kept);
  });
});
