import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { busyMilliseconds } from '../../test/support/yardstick.ts';
import { checkQualifier, nameTest, unnumbered, unquoted } from './pattern.ts';

describe('patterns of the catalog procedures', () => {
  test('%, _ and sets match as LIKE does, without regard to case', () => {
    const cases: readonly [string, string, boolean][] = [
      ['proc_%', 'proc_AddGroup', true],
      ['PROC_add%', 'proc_AddGroup', true],
      ['proc_', 'proc_AddGroup', false],
      ['procXAdd%', 'proc_AddGroup', false],
      ['proc[_]AddGroup', 'proc_AddGroup', true],
      ['proc[_]AddGroup', 'procXAddGroup', false],
      ['proc_[a-c]%', 'proc_AddGroup', true],
      ['proc_[^a-c]%', 'proc_AddGroup', false],
      ['%Group%Group', 'proc_GroupOfGroup', true],
      ['%', '', true],
      ['_', '', false],
      ['a.c', 'abc', false],
      ['[z-a]', 'm', false],
      ['a[b', 'a[b', true],
    ];
    for (const [pattern, name, expected] of cases)
      assert.equal(nameTest(pattern, true)(name), expected, `${name} like ${pattern}`);
  });

  test('a hostile pattern takes no longer than its length times the name’s', () => {
    const started = busyMilliseconds();
    assert.equal(nameTest('%a'.repeat(60), true)(`${'a'.repeat(100)}b`), false);
    assert.ok(busyMilliseconds() - started < 1000);
  });

  test('without patterns a name is compared whole; NULL is every name', () => {
    assert.ok(nameTest('PROC_ADDGROUP', false)('proc_AddGroup'));
    assert.equal(nameTest('proc%', false)('proc_AddGroup'), false);
    assert.ok(nameTest(null, true)('anything'));
    assert.ok(nameTest('[proc_AddGroup]', true)('proc_AddGroup'));
    assert.ok(nameTest('"proc_AddGroup"', false)('proc_AddGroup'));
  });

  test('a name may carry the number of its procedure', () => {
    assert.equal(unnumbered('proc_AddGroup;1'), 'proc_AddGroup');
    assert.equal(unnumbered('proc_AddGroup;2'), 'proc_AddGroup;2');
    assert.equal(unnumbered(null), null);
    assert.equal(unquoted('plain'), 'plain');
  });

  test('a qualifier other than the current database is error 15250', () => {
    checkQualifier(null, 'Config');
    checkQualifier('', 'Config');
    checkQualifier('[CONFIG]', 'Config');
    assert.throws(() => checkQualifier('master', 'Config'), { number: 15250 });
  });
});
