import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runBatches } from '../../../test/support/run-batches.ts';
import { openSession } from '../../../test/support/session.ts';

const isOn = "select cast(sessionproperty('quoted_identifier') as int)";

test('SET QUOTED_IDENTIFIER takes effect when it is read: for what follows in its batch, and for the session', async () => {
  const host = await openSession();
  const { sets, errors } = await runBatches(host, [
    'set quoted_identifier off select "a" select "b"',
    `select "c" ${isOn}`,
    `set quoted_identifier, ansi_nulls on; select 1 as "d" ${isOn}`,
    'if 1 = 0 set quoted_identifier off',
    `${isOn}`,
  ]);
  assert.deepEqual(errors, []);
  assert.deepEqual(sets, [[['a']], [['b']], [['c']], [[0]], [[1]], [[1]], [[0]]]);
});

test('in a text that is executed it holds for that text alone', async () => {
  const host = await openSession();
  const { sets, errors } = await runBatches(host, [
    `exec ('set quoted_identifier off select "a"') ${isOn}`,
    `exec sp_executesql N'set quoted_identifier off select "b"' ${isOn}`,
  ]);
  assert.deepEqual(errors, []);
  assert.deepEqual(sets, [[['a']], [[1]], [['b']], [[1]]]);
});

test('a batch that cannot be read sets nothing', async () => {
  const host = await openSession();
  const { sets } = await runBatches(host, ['set quoted_identifier off select "a" select from', isOn]);
  assert.deepEqual(sets, [[[1]]]);
});
