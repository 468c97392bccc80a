import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytesOf, hex, throwsNumber } from '../../../test/support/tds.ts';
import { ByteReader } from '../byte-reader.ts';
import { readSessionState, writeSessionState } from '../token/session-state.ts';
import { decodeLostSession } from './session-recovery.ts';

/** A SessionRecoveryData: its length, database, collation, language, states. */
const recovery = (database: string, states: string): Buffer => {
  const name = Buffer.from(database, 'utf16le');
  const body = Buffer.concat([
    Buffer.of(database.length),
    name,
    Buffer.of(5),
    Buffer.alloc(5),
    Buffer.of(0),
    hex(states),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, body]);
};

test('MS-TDS 2.2.6.4: a client that only asks for session recovery has lost none', () => {
  assert.equal(decodeLostSession(Buffer.alloc(0)), undefined);
});

test('MS-TDS 2.2.6.4: what changed in a lost session counts more than what it began with', () => {
  const lost = decodeLostSession(Buffer.concat([recovery('Lab', '00 01 aa 01 01 bb'), recovery('master', '00 01 cc')]));
  assert.equal(lost?.database, 'master');
  assert.deepEqual(
    lost.states.map(({ id, value }) => [id, Buffer.from(value).toString('hex')]),
    [
      [0, 'cc'],
      [1, 'bb'],
    ],
  );
  assert.equal(decodeLostSession(Buffer.concat([recovery('Lab', ''), recovery('', '')]))?.database, 'Lab');
});

test('MS-TDS 2.2.6.4: a lost session that is cut short is 17832', () => {
  const whole = Buffer.concat([recovery('Lab', '00 01 aa'), recovery('', '')]);
  for (let length = 1; length < whole.length; length++)
    throwsNumber(17832, () => decodeLostSession(whole.subarray(0, length)));
});

test('MS-TDS 2.2.7.21: SESSIONSTATE has a number, whether it can be had again, and states of any length', () => {
  const change = { sequence: 7, recoverable: true, states: [{ id: 3, value: hex('aabb') }] };
  const bytes = bytesOf((out) => writeSessionState(out, change));
  assert.deepEqual(bytes, hex('e4 09000000 07000000 01 03 02 aabb'));
  assert.deepEqual(readSessionState(new ByteReader(bytes.subarray(1))), { sequence: 7, recoverable: true });
  const long = bytesOf((out) => writeSessionState(out, { ...change, states: [{ id: 3, value: Buffer.alloc(300) }] }));
  assert.deepEqual(long.subarray(10, 17), hex('03 ff 2c010000 00'));
});
