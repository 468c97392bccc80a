import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Distribution, Measures } from './measures.ts';

describe('measures', () => {
  it('a distribution puts a value on a bound into the bucket below it', () => {
    const distribution = new Distribution([1, 2]);
    for (const value of [0.5, 1, 1.5, 2, 7]) distribution.add(value);
    assert.deepEqual(distribution.counts, [2, 2, 1]);
    assert.equal(distribution.sum, 12);
    assert.equal(distribution.quantile(0.5), 2);
  });

  it('an empty distribution has the quantile 0', () => assert.equal(new Distribution([1]).quantile(0.99), 0));

  it('what comes beyond the most label sets is counted together', () => {
    const family = new Measures().count('calls', 'Calls.', ['procedure']);
    for (let i = 0; i < 5000; i++) family.of(`p${i}`).add();
    assert.equal(family.all().length, 2001);
    assert.equal(family.of('other').value, 3000);
  });

  it('so many databases are told apart, the others are one, whatever is counted of them', () => {
    const measures = new Measures();
    const family = measures.count('calls', 'Calls.', ['database', 'procedure']);
    for (let i = 0; i < 60; i++) for (const name of ['a', 'b']) family.of(`d${i}`, name).add();
    assert.equal(family.all().length, 102);
    assert.equal(family.of('other', 'a').value, 10);
    assert.equal(measures.databases.of('d59'), 'other');
    assert.equal(measures.databases.of('d0'), 'd0');
  });

  it('a database that is gone is forgotten, and makes room for another', () => {
    const measures = new Measures();
    const family = measures.count('calls', 'Calls.', ['database', 'procedure']);
    for (let i = 0; i < 60; i++) family.of(`d${i}`, 'a').add();
    measures.keepOnly(new Set(['d0', 'd59']));
    assert.deepEqual(
      family.all().map(({ labels, kept }) => [labels['database'], kept.value]),
      [
        ['d0', 1],
        ['other', 10],
      ],
    );
    assert.equal(measures.databases.of('d59'), 'd59');
  });

  it('two measures of one name are refused', () => {
    const measures = new Measures();
    measures.count('calls', 'Calls.');
    assert.throws(() => measures.gauge('calls', 'Calls.', () => []), /calls is already registered/);
  });
});
