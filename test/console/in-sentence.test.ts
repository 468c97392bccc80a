import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSentence } from '../../src/console/api/in-sentence.ts';

test('a name in a sentence ends with what it begins (UAX #9), whatever it holds; ordinary ones stand as they are', () => {
  for (const plain of ['', 'Intranet', '<b>"Zażółć" гуси 日本語 👩‍👩‍👧‍👦 𝒳𐍈']) assert.equal(inSentence(plain), plain);
  for (const turning of ['\u202egpj.exe', 'עברית', 'العربية', 'a\u200f', 'a\u2069\u202eb', '\u2066', '\u{1e900}']) {
    const told = inSentence(turning);
    assert.match(told, /^\u2068[^\u2066-\u2069\u2028\u2029]*\u2069$/, JSON.stringify(turning));
  }
  assert.equal(inSentence('\u202egpj.exe'), '\u2068\u202egpj.exe\u2069');
});
