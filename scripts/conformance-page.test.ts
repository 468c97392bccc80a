import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conformancePage, ruleOf } from './conformance-page.ts';

test('the rule is in the name of its test', () => {
  assert.deepEqual(ruleOf('MS-TSSPROC 3.1.5.2: returns 1 when a daily limit would be broken'), {
    specification: 'MS-TSSPROC',
    section: '3.1.5.2',
    text: 'returns 1 when a daily limit would be broken',
  });
  assert.equal(ruleOf('a clock that is set back makes nobody wait'), undefined);
});

test('the page lists sections in the specification’s order, each rule once', () => {
  const page = conformancePage([
    'MS-TSSPROC 3.1.5.10: later',
    'MS-TSSPROC 3.1.5.9: b',
    'MS-TSSPROC 3.1.5.9: a',
    'MS-TSSPROC 3.1.5.9: a',
    'MS-TDS 2.2.1: first of all',
    'not a rule',
  ]);
  const lines = page.split('\n').filter((line) => /^(##|-)/.test(line));
  assert.deepEqual(lines, [
    '## MS-TDS: the wire protocol',
    '### 2.2.1',
    '- first of all',
    '## MS-TSSPROC: machine translation',
    '### 3.1.5.9',
    '- a',
    '- b',
    '### 3.1.5.10',
    '- later',
  ]);
});
