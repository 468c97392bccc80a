import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultOptions } from '../../tsql/options.ts';
import type { SessionHost } from '../session-host.ts';
import { SessionRecovery } from './session-recovery.ts';

/** The options of a session whose client brought such a state back. */
function optionsAfter(state: string) {
  const options = defaultOptions();
  const states = [{ id: 0, value: Buffer.from(state) }];
  // Nothing else of a session is asked for.
  new SessionRecovery({ options } as unknown as SessionHost, { database: '', states });
  return options;
}

test('what a client brings back of its lost session is taken as far as SET could have said it', () => {
  const taken = {
    dateFirst: 3,
    rowCount: 7,
    lockTimeout: 50,
    isolation: 'snapshot',
    noCount: true,
    language: 'Deutsch',
  };
  assert.deepEqual(optionsAfter(JSON.stringify(taken)), { ...defaultOptions(), ...taken });
});

test('a forged state gives a session nothing that SET would not have', () => {
  const forged = [
    'null',
    '[1,2]',
    '"text"',
    '{"__proto__": {"noCount": true}, "constructor": 1}',
    '{"login": "sa", "isAdministrator": true}',
    '{"dateFirst": 0}',
    '{"dateFirst": 1e300}',
    '{"rowCount": -1}',
    '{"rowCount": 1.5}',
    '{"isolation": "constructor", "dateFormat": "abc", "language": "x"}',
    '{"noCount": 1, "lockTimeout": "1"}',
    '{',
    `{"dateFirst": ${'['.repeat(10_000)}`,
  ];
  for (const state of forged) assert.deepEqual(optionsAfter(state), defaultOptions(), state.slice(0, 60));
});
