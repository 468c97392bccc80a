import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashPassword, isOutdated, passwordMatches, unmatchableHash } from './password.ts';
import { RecentPasswords } from './recent-passwords.ts';

const cheap = { N: 1024, r: 8, p: 1 };

describe('hashPassword', () => {
  test('a hash matches its password and no other', async () => {
    const hash = await hashPassword('correct horse', cheap);
    assert.equal(await passwordMatches('correct horse', hash), true);
    assert.equal(await passwordMatches('correct horsf', hash), false);
    assert.equal(await passwordMatches('', hash), false);
  });

  test('the same password hashes differently each time and does not appear in the hash', async () => {
    const [a, b] = [await hashPassword('secret', cheap), await hashPassword('secret', cheap)];
    assert.notEqual(a, b);
    assert.equal(a.includes('secret'), false);
  });

  test('the cost is kept with the hash, so that a raised cost is noticed and old hashes still match', async () => {
    const hash = await hashPassword('secret', cheap);
    assert.equal(isOutdated(hash, cheap), false);
    assert.equal(isOutdated(hash, { ...cheap, N: 2048 }), true);
    assert.equal(await passwordMatches('secret', hash), true);
  });

  test('composed and decomposed letters are one password', async () => {
    const hash = await hashPassword('caf\u00e9', cheap);
    assert.equal(await passwordMatches('cafe\u0301', hash), true);
  });

  test('nothing matches the hash of nobody', async () => {
    assert.equal(await passwordMatches('', unmatchableHash(cheap)), false);
  });
});

describe('RecentPasswords', () => {
  test('knows a remembered password only with the hash that was stored then', () => {
    const recent = new RecentPasswords();
    recent.remember('sa', 'hash 1', 'secret');
    assert.equal(recent.isRight('sa', 'hash 1', 'secret'), true);
    assert.equal(recent.isRight('sa', 'hash 1', 'secreT'), false);
    assert.equal(recent.isRight('sa', 'hash 2', 'secret'), undefined);
    assert.equal(recent.isRight('bo', 'hash 1', 'secret'), undefined);
  });

  test('forgets the oldest beyond its capacity', () => {
    const recent = new RecentPasswords(2);
    for (const login of ['a', 'b', 'c']) recent.remember(login, 'hash', 'secret');
    assert.deepEqual(
      ['a', 'b', 'c'].map((login) => recent.isRight(login, 'hash', 'secret')),
      [undefined, true, true],
    );
  });
});
