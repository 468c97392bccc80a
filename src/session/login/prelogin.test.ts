import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encryption } from '../../tds/message/prelogin.ts';
import type { EncryptionPolicy } from '../context.ts';
import { encryptionAnswer, mayBePlain } from './prelogin.ts';

const { off, on, notSupported, required } = encryption;

/** What is answered to a client that says off, on, not supported, required: on loopback, and from elsewhere. */
const table: Readonly<Record<EncryptionPolicy, { here: readonly number[]; elsewhere: readonly number[] }>> = {
  auto: { here: [off, on, notSupported, on], elsewhere: [off, on, required, on] },
  required: { here: [required, on, required, on], elsewhere: [required, on, required, on] },
  optional: { here: [off, on, notSupported, on], elsewhere: [off, on, notSupported, on] },
  off: {
    here: [notSupported, notSupported, notSupported, notSupported],
    elsewhere: [notSupported, notSupported, notSupported, notSupported],
  },
};

test('MS-TDS 2.2.6.5: the answer to ENCRYPTION is that of the policy and the place', () => {
  for (const [policy, { here, elsewhere }] of Object.entries(table) as [EncryptionPolicy, (typeof table)['auto']][]) {
    [off, on, notSupported, required].forEach((asked, at) => {
      const what = `${policy}, asked ${asked}`;
      const answer = (loopback: boolean, strict = false) =>
        encryptionAnswer(asked, { loopback, strict, isOld: false }, policy);
      assert.equal(answer(true), here[at], what);
      assert.equal(answer(false), elsewhere[at], what);
      assert.equal(answer(false, true), notSupported, what);
    });
  }
});

test('a client of before TDS 7.2 that does not want TLS gets it for everything: jTDS hangs when it ends', () => {
  for (const policy of ['auto', 'required', 'optional'] as const)
    assert.equal(encryptionAnswer(off, { loopback: true, strict: false, isOld: true }, policy), required);
});

test('a login without TLS is let in by the policies that say so, and by auto on loopback only', () => {
  const plain = (loopback: boolean) =>
    (['auto', 'required', 'optional', 'off'] as const).filter((policy) => mayBePlain({ loopback }, policy));
  assert.deepEqual(plain(true), ['auto', 'optional', 'off']);
  assert.deepEqual(plain(false), ['optional', 'off']);
});
