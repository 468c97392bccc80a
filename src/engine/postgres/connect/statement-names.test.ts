import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostPrepared, statementName } from './statement-names.ts';

test('one-off texts of clients evict each other, not texts that are used again and again', () => {
  const name = statementName('select one');
  const madeUp = new Set<string | undefined>();
  for (let number = 0; number < mostPrepared; number++) {
    madeUp.add(statementName(`select ${number}`));
    assert.equal(statementName('select one'), name);
  }
  assert.equal(madeUp.size, mostPrepared, 'no name is ever used for two texts');
  assert.ok(!madeUp.has(name));
  const late = statementName('select another');
  assert.equal(statementName('select another'), late, 'a late text gets a name as well');
});

test('a very long text gets no name: it is prepared for one run', () => {
  assert.equal(statementName(`select ${'1 + '.repeat(10_000)} 1`), undefined);
});
