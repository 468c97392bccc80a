import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batch } from '../../../test/support/recorder.ts';
import { openSession } from '../../../test/support/session.ts';

/** An expression, and its value and type. */
const expected: readonly (readonly [expression: string, value: unknown, type: string])[] = [
  ['left_shift(12345, 5)', 395040, 'int'],
  ['12345 << 5', 395040, 'int'],
  ['395040 >> 5', 12345, 'int'],
  ['cast(-16 as int) >> 2', 1073741820, 'int'],
  ['cast(1 as tinyint) << 7', 128, 'tinyint'],
  ['cast(1 as tinyint) << 8', 0, 'tinyint'],
  ['cast(1 as smallint) << 15', -32768, 'smallint'],
  ['cast(1 as bigint) << 62', 4611686018427387904n, 'bigint'],
  ['left_shift(12345, -5)', 385, 'int'],
  ['1 << 9223372036854775807', 0, 'int'],
  ['1 << null', null, 'int'],
  ['1 + 2 << 1', 6, 'int'],
  ['case when 4 >> 1 > 1 then 1 else 0 end', 1, 'int'],
  ['0xabcdef << 4', Uint8Array.of(0xbc, 0xde, 0xf0), 'varbinary'],
  ['get_bit(0xabcdef, 2)', true, 'bit'],
  ['get_bit(0xabcdef, 4)', false, 'bit'],
  ['get_bit(-1, 31)', true, 'bit'],
  ['get_bit(1, null)', null, 'bit'],
  ['set_bit(0, 3)', 8, 'int'],
  ['set_bit(0, 31)', -2147483648, 'int'],
  ['set_bit(cast(255 as tinyint), 0, 0)', 254, 'tinyint'],
  ['set_bit(1, 1, null)', null, 'int'],
  ['bit_count(0xabcdef)', 17n, 'bigint'],
  ['bit_count(-1)', 32n, 'bigint'],
  ['bit_count(cast(7 as tinyint))', 3n, 'bigint'],
  ["greatest('6.62', 3.1415, N'7')", { unscaled: 70000n, scale: 4 }, 'numeric'],
  ["greatest('b', 'C', 'a')", 'C', 'varchar'],
  ['least(3, null, 2)', 2, 'int'],
  ['least(null, null)', null, 'int'],
  ['greatest(5)', 5, 'int'],
];

describe('functions of SQL Server 2022 about bits, and the greatest and least of values', () => {
  for (const [expression, value, type] of expected) {
    test(`${expression} is ${expression.startsWith('0x') ? 'shifted as a whole' : String(value)}`, async () => {
      const { sets, errors } = await batch(await openSession(), `select ${expression}`);
      assert.deepEqual(errors, []);
      const [found] = sets[0]?.rows[0] ?? [];
      const plain = typeof found === 'object' && found !== null && 'unscaled' in found ? { ...found } : found;
      assert.deepEqual(plain instanceof Uint8Array ? Uint8Array.from(plain) : plain, value);
      assert.equal(sets[0]?.columns[0]?.type.name, type);
    });
  }

  for (const [expression, number] of [
    ["bit_count('a')", 8116],
    ['bit_count(null)', 8116],
    ['cast(0x01 as varbinary(max)) << 1', 8116],
    ['1.5 >> 1', 8116],
    ['get_bit(1, 32)', 4199],
    ['set_bit(1, -1)', 4199],
    ['set_bit(1, 1, 2)', 4199],
    ["get_bit('a', 1)", 8116],
    ['greatest()', 174],
    ['1 <<', 102],
  ] as const) {
    test(`${expression} is error ${number}`, async () => {
      const { errors } = await batch(await openSession(), `select ${expression}`);
      assert.deepEqual(
        errors.map((error) => error.number),
        [number],
      );
    });
  }
});
