import assert from 'node:assert/strict';
import { constants } from 'node:os';
import { test } from 'node:test';
import { isNoRoom } from '../engine/sqlite/files/write-probe.ts';
import { systemCode } from './system-code.ts';

test('an exhausted quota, which Node calls unknown, has its code, and is a lack of room', () => {
  const quota = Object.assign(new Error('UNKNOWN: unknown error, write'), {
    errno: -constants.errno.EDQUOT,
    code: 'UNKNOWN',
  });
  assert.equal(systemCode(quota), 'EDQUOT');
  assert.ok(isNoRoom(quota));
  assert.equal(systemCode(Object.assign(new Error('EACCES'), { errno: -13, code: 'EACCES' })), 'EACCES');
});
