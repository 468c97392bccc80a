import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ntHash } from './nt-hash.ts';

test('the NT hash is MD4 of the password in UTF-16 (MS-NLMP 4.2.2.1.2)', () => {
  assert.equal(ntHash('Password').toString('hex'), 'a4f49c406510bdcab6824ee7c30fd852');
  assert.equal(ntHash('').toString('hex'), '31d6cfe0d16ae931b73c59d7e0c089c0');
});

test('passwords that end at, before and behind the end of a block are padded as RFC 1320 says', () => {
  assert.equal(ntHash('é'.repeat(27)).toString('hex'), '81149277895654af2a5b8a46a10caf6e');
  assert.equal(ntHash('x'.repeat(28)).toString('hex'), 'e4e10a22597efd64ad85ec18c948cbf2');
  assert.equal(ntHash('x'.repeat(32)).toString('hex'), '59c1f6430d9d1aea6d9212f4cb6ea3ea');
});
