import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { Wire } from '../../src/console/wire/wire.ts';
import { CallTap } from '../../src/procedure/call-tap.ts';

test('who looks for one procedure sees its calls, however many others look at', async ({ mock }) => {
  let now = 5_000;
  mock.method(performance, 'now', () => now);
  const wire = new Wire(new CallTap(), new ManualClock());
  const ends = new AbortController();
  const looks = (procedure?: string) =>
    wire.watch({ own: undefined, procedure, reveals: false }, undefined, ends.signal)[Symbol.asyncIterator]();
  const call = (name: string): boolean => {
    const begun = { session: 51, login: 'sa', host: '', program: '', database: 'any', name, args: [] };
    const recording = wire.begin(begun);
    recording?.end({ milliseconds: 1 });
    return recording !== undefined;
  };
  const calls = (count: number, name: string) => Array.from({ length: count }, () => call(name)).filter(Boolean).length;

  const all = looks();
  const first = all.next();
  // One who looks at everything has all of what a second allows.
  assert.equal(calls(100, 'proc_GetJobs'), 40);
  now += 1_000;
  const one = looks('AddJob');
  const seen = one.next();
  assert.equal(calls(100, 'proc_GetJobs'), 30);
  assert.equal(calls(100, 'proc_AddJob'), 10);
  assert.equal((await first).value?.data.calls.length, 80);
  const told = (await seen).value?.data;
  assert.deepEqual([told?.calls.length, told?.skipped], [10, 90]);
  // Who has left is waited for, and takes nothing from those who look.
  const rest = one.next();
  await all.return(undefined);
  now += 1_000;
  assert.equal(calls(100, 'proc_GetJobs'), 20);
  assert.equal(calls(100, 'proc_AddJob'), 20);
  assert.equal((await rest).value?.data.calls.length, 20);
  ends.abort();
  await one.return(undefined);
  wire.stop();
});
