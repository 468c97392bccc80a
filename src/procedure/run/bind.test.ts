import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bigint, int, ntext, nvarchar, varchar } from '../../tds/types/index.ts';
import { procedure } from '../declare.ts';
import { nullable, optional, optionalOutput, output, required } from '../param.ts';
import { type Argument, bind } from './bind.ts';

const declared = procedure({
  name: 'proc_Sample',
  section: '',
  summary: '',
  access: 'read',
  params: {
    JobId: required(bigint, ''),
    Name: nullable(nvarchar(5), ''),
    Count: optional(int, 7, ''),
    Total: output(int, ''),
    Id: optionalOutput(int, ''),
  },
  outcomes: { done: { code: 0, meaning: '' } },
  handle: () => ({ outcome: 'done' }),
});
const bare = procedure({
  name: 'proc_Bare',
  section: '',
  summary: '',
  access: 'read',
  params: {},
  outcomes: { done: { code: 0, meaning: '' } },
  handle: () => ({ outcome: 'done' }),
});

const arg = (name: string, value: unknown, more: Partial<Argument> = {}): Argument => ({
  name,
  type: typeof value === 'bigint' ? bigint : typeof value === 'number' ? int : varchar(100),
  value,
  output: false,
  byDefault: false,
  ...more,
});
const whole = [arg('@JobId', 1n), arg('@Name', 'n'), arg('@Total', null)];
const fails = (number: number, args: readonly Argument[]) =>
  assert.throws(() => bind(declared, args), { name: 'SqlError', number });

test('parameters bind by name, in any case and order', () => {
  const { input } = bind(declared, [arg('@TOTAL', null), arg('@name', 'n'), arg('@jobid', 1n)]);
  assert.deepEqual(input, { JobId: 1n, Name: 'n', Count: 7, Total: null, Id: null });
});

test('parameters bind by position, and the rest by name', () => {
  const { input } = bind(declared, [arg('', 1n), arg('', 'n'), arg('@Total', 4)]);
  assert.deepEqual(input, { JobId: 1n, Name: 'n', Count: 7, Total: 4, Id: null });
});

test('text converts to the declared type, as EXEC of a quoted number needs it', () => {
  assert.equal(bind(declared, [arg('@JobId', '12'), ...whole.slice(1)]).input['JobId'], 12n);
});

test('a parameter sent as default takes its default', () => {
  assert.equal(bind(declared, [...whole, arg('@Count', 1, { byDefault: true })]).input['Count'], 7);
});

test('NULL for an optional parameter stays NULL', () => {
  assert.equal(bind(declared, [...whole, arg('@Count', null)]).input['Count'], null);
});

test('an output that the caller wants back is named with its place', () => {
  const { wanted } = bind(declared, [arg('@JobId', 1n), arg('@Name', 'n'), arg('@Total', null, { output: true })]);
  assert.deepEqual(wanted, [{ param: 'Total', argument: 2 }]);
});

test('error 201: a parameter without a default is missing', () => fails(201, [arg('@JobId', 1n)]));
test('error 201: a parameter without a default is sent as default', () =>
  fails(201, [arg('@JobId', 1n, { byDefault: true }), ...whole.slice(1)]));
test('error 8145: a name that the procedure does not have', () => fails(8145, [...whole, arg('@Nope', 1)]));
test('error 8144: more arguments than parameters', () =>
  fails(
    8144,
    Array.from({ length: 6 }, () => arg('', 1)),
  ));
test('error 8143: one parameter twice', () => fails(8143, [...whole, arg('@jobID', 2n)]));
test('error 8143: a position that a name took before', () =>
  assert.throws(() => bind(declared, [arg('@Name', 'n'), arg('', 'n')]), { number: 8143, message: /'@name' was/ }));
test('error 8162: an output wanted from an input parameter', () =>
  fails(8162, [arg('@JobId', 1n, { output: true }), ...whole.slice(1)]));
test('error 515: NULL for a parameter that must not be NULL', () =>
  fails(515, [arg('@JobId', null), ...whole.slice(1)]));
test('error 8114: text that is no number', () => fails(8114, [arg('@JobId', 'x'), ...whole.slice(1)]));
test('text longer than its type is cut, whatever text it comes as', () => {
  for (const type of [nvarchar(20), varchar(20), ntext]) {
    const given = [arg('@JobId', 1n), { ...arg('@Name', 'longer'), type }, arg('@Total', null)];
    assert.equal(bind(declared, given).input['Name'], 'longe');
  }
});
test('error 8146: arguments for a procedure that has none', () => {
  assert.throws(() => bind(bare, [arg('', 1)]), { number: 8146 });
});
