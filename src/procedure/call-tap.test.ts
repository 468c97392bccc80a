import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallTap } from './call-tap.ts';

const call = { login: 'sa', database: 'Jobs', name: 'proc_GetJobs', number: 8114, message: 'Error converting.' };

test('calls that are refused alike are one, with how many they were; so many push out nothing else', () => {
  const tap = new CallTap();
  const refuse = (session: number, message: string) => tap.refuse({ ...call, at: new Date(session), session, message });
  refuse(1, 'Another error.');
  for (let session = 2; session < 1000; session++) refuse(session, call.message);
  assert.deepEqual(
    tap.refused.map(({ session, message, times }) => [session, message, times]),
    [
      [999, call.message, 998],
      [1, 'Another error.', 1],
    ],
  );
  refuse(1000, 'Another error.');
  assert.deepEqual(
    tap.refused.map(({ session, times }) => [session, times]),
    [
      [1000, 2],
      [999, 998],
    ],
  );
});

test('of calls that are refused for different reasons only the last are kept', () => {
  const tap = new CallTap();
  for (let number = 0; number < 1000; number++) tap.refuse({ ...call, at: new Date(0), session: 1, number });
  assert.equal(tap.refused.length, 100);
  assert.equal(tap.refused[0]?.number, 999);
});

test('whether a call is recorded is told by session, also where another was refused alike meanwhile', () => {
  const tap = new CallTap();
  for (const session of [1, 2]) tap.refuse({ ...call, at: new Date(0), session });
  for (const session of [1, 2]) assert.ok(tap.isNoted({ ...call, session }));
  assert.ok(!tap.isNoted({ ...call, session: 3 }));
});
