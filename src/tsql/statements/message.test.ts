import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';

const errorsOf = async (text: string) =>
  (await batch(await openSession(), text)).errors.map(({ number, severity, state, message, line }) => ({
    number,
    severity,
    state,
    message,
    line,
  }));

test('RAISERROR with a number, severity -1 and state -1 raises the server’s message as it is', async () => {
  assert.deepEqual(await errorsOf("raiserror(15097, -1, -1)\nraiserror(15600, -1, -1, 'mine')"), [
    {
      number: 15097,
      severity: 16,
      state: 1,
      message: 'The size associated with an extended property cannot be more than 7,500 bytes.',
      line: 1,
    },
    {
      number: 15600,
      severity: 15,
      state: 1,
      message: "An invalid parameter or option was specified for procedure 'mine'.",
      line: 2,
    },
  ]);
  assert.deepEqual(await errorsOf("raiserror('text', -1, -1)"), []);
});

for (const xactAbort of ['off', 'on']) {
  test(`the columns that the rest of a batch gets wrong are told with the first, XACT_ABORT ${xactAbort}`, async () => {
    const host = await openSession();
    await batch(host, `set xact_abort ${xactAbort}`);
    const { errors, sets } = await batch(
      host,
      'select a;\nselect 1 as fine;\nbegin select b end\nselect c from (select 1 x) d\nselect n from nowhere',
    );
    assert.deepEqual(
      errors.map(({ number, message, line }) => [number, message, line]),
      [
        [207, "Invalid column name 'a'.", 1],
        [207, "Invalid column name 'c'.", 4],
      ],
    );
    assert.deepEqual(sets, []);
  });
}

test('a conversion that fails tells nothing of what follows', async () => {
  const { errors } = await batch(await openSession(), "select 1 + 'x'; select a");
  assert.deepEqual(
    errors.map(({ number }) => number),
    [245],
  );
});
