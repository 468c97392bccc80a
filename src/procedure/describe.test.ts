import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bigint, bit, datetime, int, nvarchar, uniqueidentifier, varbinary, varchar } from '../tds/types/index.ts';
import { orNull, procedure } from './declare.ts';
import { describeParams, head, literal, objectId, resultSets } from './describe.ts';
import { nullable, optional, optionalOutput, output, required } from './param.ts';

const sample = procedure({
  name: 'proc_Sample',
  section: 'MS-SAMPLE 3.1',
  summary: 'Shows every sort of parameter.',
  access: 'read',
  params: {
    Id: required(bigint, 'An id.'),
    Name: nullable(nvarchar(128), 'A name.'),
    Mark: optional(bit, true, 'A mark.'),
    Text: optional(nvarchar('max'), "it's", 'A text.'),
    Count: output(int, 'A count.'),
    RequestGuid: optionalOutput(uniqueidentifier, 'A request.'),
  },
  outcomes: {
    found: { code: 0, meaning: 'Found.', sets: { rows: { Id: bigint, '': orNull(nvarchar(10)) } } },
    missing: { code: 1, meaning: 'Missing.' },
    counted: { code: int, meaning: 'A count.' },
  },
  handle: () => ({ outcome: 'missing' }),
});

describe('what derives from a declaration', () => {
  test('the result sets are known where every outcome with rows sends the same', () => {
    const names = (sets: ReturnType<typeof resultSets>) => sets?.map((set) => set.map(({ name }) => name));
    assert.deepEqual(names(resultSets(sample)), [['Id', '']]);
    const other = { ...sample.outcomes, else: { code: 2, meaning: 'Other rows.', sets: { rows: { Id: int } } } };
    assert.equal(resultSets({ outcomes: other }), undefined);
    assert.deepEqual(resultSets({ outcomes: { missing: sample.outcomes.missing } }), []);
  });

  test('parameters are counted from 1, carry their @, and know their defaults', () => {
    const params = describeParams(sample).map(({ ordinal, name, output: out, nullable: may, byDefault }) => [
      ordinal,
      name,
      out,
      may,
      byDefault,
    ]);
    assert.deepEqual(params, [
      [1, '@Id', false, false, undefined],
      [2, '@Name', false, true, undefined],
      [3, '@Mark', false, true, '1'],
      [4, '@Text', false, true, "N'it''s'"],
      [5, '@Count', true, true, undefined],
      [6, '@RequestGuid', true, true, 'NULL'],
    ]);
  });

  test('the head is the T-SQL that would declare the procedure, with how its calls end', () => {
    assert.equal(
      head(sample),
      [
        'CREATE PROCEDURE [dbo].[proc_Sample]',
        '    @Id bigint,',
        '    @Name nvarchar(128),',
        '    @Mark bit = 1,',
        "    @Text nvarchar(max) = N'it''s',",
        '    @Count int OUTPUT,',
        '    @RequestGuid uniqueidentifier = NULL OUTPUT',
        'AS',
        '-- MS-SAMPLE 3.1: Shows every sort of parameter.',
        '-- returns 0: Found.',
        '--     result set: [Id] bigint, [] nvarchar(10)',
        '-- returns 1: Missing.',
        '-- returns int: A count.',
        '',
      ].join('\n'),
    );
    assert.ok(head(sample, 'proc_Other').startsWith('CREATE PROCEDURE [dbo].[proc_Other]\n'));
  });

  test('a procedure without parameters has none in its head', () => {
    const { known: _, ...rest } = sample;
    const bare = procedure({
      ...rest,
      params: {},
      outcomes: { missing: { code: 1, meaning: 'Missing.' } },
      handle: () => ({ outcome: 'missing' }),
    });
    assert.ok(head(bare).startsWith('CREATE PROCEDURE [dbo].[proc_Sample]\nAS\n'));
  });

  test('object ids depend on the name alone, without regard to case, and are positive 32-bit numbers', () => {
    const id = objectId('dbo', 'proc_AddGroup');
    assert.equal(objectId('DBO', 'PROC_ADDGROUP'), id);
    assert.notEqual(objectId('sys', 'proc_AddGroup'), id);
    assert.equal(id, 1_195_563_338);
    for (const name of ['a', 'proc_getSiteMap', 'zürich', '']) {
      const other = objectId('dbo', name);
      assert.ok(Number.isInteger(other) && other > 0 && other <= 2 ** 31 - 1, `${name}: ${other}`);
    }
  });

  test('literals are written as T-SQL reads them', () => {
    assert.equal(literal(int, null), 'NULL');
    assert.equal(literal(bit, false), '0');
    assert.equal(literal(bigint, -5n), '-5');
    assert.equal(literal(varchar(5), "a'b"), "'a''b'");
    assert.equal(literal(varbinary(4), Uint8Array.of(1, 0xab)), '0x01AB');
    assert.equal(literal(datetime, new Date('2024-01-15T10:30:00.003Z')), "'2024-01-15T10:30:00.003'");
    assert.throws(() => literal(int, { odd: true }), /no literal/);
  });
});
