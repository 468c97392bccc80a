import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptTexts } from './kept-texts.ts';

test('statements are kept up to a number and up to a length of their texts, a very long one not at all', () => {
  const short = new KeptTexts<number>();
  for (let at = 0; at < 1500; at++) short.set(`select ${at}`, at);
  assert.deepEqual([short.count, short.get('select 0'), short.get('select 1499')], [1000, undefined, 1499]);
  short.set('select 1499', 7);
  assert.deepEqual([short.count, short.get('select 1499')], [1000, 7]);
  const long = new KeptTexts<number>();
  for (let at = 0; at < 1000; at++) long.set(`${' '.repeat(16_000)}${at}`, at);
  assert.equal(long.count, 65);
  long.set(' '.repeat(20_000), 1);
  assert.equal(long.get(' '.repeat(20_000)), undefined);
  assert.equal(long.get(`${' '.repeat(16_000)}999`), 999);
});
