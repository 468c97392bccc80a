import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { batch, Recorder } from '../../test/support/recorder.ts';
import { roundsOf } from '../../test/support/rounds-of.ts';
import { openSession } from '../../test/support/session.ts';
import { pace } from '../base/threads/turn.ts';
import type { SessionHost } from '../session/session-host.ts';
import { nvarchar } from '../tds/types/index.ts';
import { callProcedure } from './call-procedure.ts';

const usual = pace.turnLength;
afterEach(() => {
  pace.turnLength = usual;
});

const comment = (characters: number): string => `/*${'x'.repeat(characters)}*/`;
const list = (values: number): string => `(${'1,'.repeat(values)}1)`;

/** Texts as long as they are asked to be, and the least number of turns that a million of their characters take. */
const texts: Readonly<Record<string, { readonly of: (length: number) => string; readonly least: number }>> = {
  'a comment': { of: (length) => `${comment(length)} select 1 a where 1 = @a`, least: 10 },
  'doubled quotes': { of: (length) => `select '${"''".repeat(length / 2)}' a where 1 = @a`, least: 10 },
  // Of a million characters these have the most tokens that a statement may have.
  'a list': { of: (length) => `select 1 a where 1 = @a and 1 in ${list(length / 25)}`, least: 40 },
};

const long = 1_000_000;

/** How many turns more a call takes whose text is long. */
async function turnsOf(call: (host: SessionHost, length: number) => Promise<unknown>): Promise<number> {
  const host = await openSession();
  pace.turnLength = 0;
  await call(host, 100);
  const short = await roundsOf(() => call(host, 100));
  return (await roundsOf(() => call(host, long))) - short;
}

async function called(host: SessionHost, procedure: string, ...given: readonly string[]): Promise<void> {
  const args = given.map((value) => ({ name: '', type: nvarchar('max'), value, output: false, byDefault: false }));
  const recorder = new Recorder();
  await callProcedure(host, procedure, args, recorder, new AbortController().signal);
  assert.deepEqual(recorder.errors, []);
}

for (const [what, { of, least }] of Object.entries(texts)) {
  test(`sp_describe_first_result_set leaves others their turns in a long text: ${what}`, async () => {
    const turns = await turnsOf((host, length) => called(host, 'sp_describe_first_result_set', of(length), '@a int'));
    // The text is read for a call of a procedure first, and then as a batch.
    assert.ok(turns >= 3 * least, `${turns} turns`);
  });

  test(`sp_describe_undeclared_parameters leaves others their turns in a long text: ${what}`, async () => {
    const turns = await turnsOf((host, length) => called(host, 'sp_describe_undeclared_parameters', of(length)));
    // As above, and its variables are looked for each time.
    assert.ok(turns >= 4 * least, `${turns} turns`);
  });
}

test('a long list of parameters leaves others their turns', async () => {
  const declared = (length: number) => `${comment(length)} @a int`;
  const cases: readonly ((host: SessionHost, length: number) => Promise<void>)[] = [
    (host, length) => called(host, 'sp_describe_first_result_set', 'select @a a', declared(length)),
    async (host, length) => {
      const args = ['select 1', declared(length)].map((value) => ({
        name: '',
        type: nvarchar('max'),
        value,
        output: false,
        byDefault: false,
      }));
      // A parameter without a value is 8178, which comes after the list was read.
      const call = callProcedure(host, 'sp_executesql', args, new Recorder(), new AbortController().signal);
      await assert.rejects(call, { number: 8178 });
    },
  ];
  for (const call of cases) {
    const turns = await turnsOf(call);
    assert.ok(turns >= 10, `${turns} turns`);
  }
});

test('under PARSEONLY a long text leaves others their turns, and PARSEONLY OFF is heeded wherever it stands', async () => {
  const only = async (host: SessionHost, length: number) => {
    await batch(host, 'set parseonly on');
    await batch(host, `select 1 ${comment(length)}`);
  };
  const turns = await turnsOf(only);
  // Each time the text is read, and looked through.
  assert.ok(turns >= 20, `${turns} turns`);
  const host = await openSession();
  await only(host, 10);
  for (const before of [99_990, 99_995, 100_000]) {
    await batch(host, `set parseonly on`);
    await batch(host, `${' '.repeat(before)}set parseonly off`);
    assert.deepEqual((await batch(host, 'select 1')).sets[0]?.rows, [[1]], `${before}`);
  }
});
