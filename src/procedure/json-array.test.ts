import assert from 'node:assert/strict';
import { test } from 'node:test';
import { throwsNumber } from '../../test/support/tds.ts';
import { jsonArray } from './json-array.ts';

const read = (json: string): readonly unknown[] => jsonArray('Items', json, 'items');

test('a parameter that is a JSON array is read; what is none is 50000', () => {
  assert.deepEqual(read('[1, "a", {"b": [2]}]'), [1, 'a', { b: [2] }]);
  for (const wrong of ['', '{}', '[1', '"a"', 'null']) throwsNumber(50000, () => read(wrong));
});

test('a list of more parts than can be read at once is refused; what stands in texts does not count', () => {
  for (const many of [
    `[${'[],'.repeat(300_000)}1]`,
    '['.repeat(400_000),
    `[${'1,'.repeat(300_000)}1]`,
    `["\\\\",${'{},'.repeat(250_000)}1]`,
  ]) {
    throwsNumber(50000, () => read(many));
    assert.throws(() => read(many), /more items than are taken at once/);
  }
  throwsNumber(50000, () => read(`["${'x'.repeat(33 * 1024 * 1024)}"]`));
  const text = '[],{},\\"[,'.repeat(100_000);
  assert.deepEqual(read(JSON.stringify([text, text])), [text, text]);
  assert.equal(read(`[${'1,'.repeat(100_000)}1]`).length, 100_001);
});
