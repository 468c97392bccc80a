import { sqlError } from '../../base/messages/sql-error.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { FunctionSpec } from '../evaluate/context.ts';
import { derived } from './define.ts';

/** The bits of the integer types; of a binary value its bytes tell. */
const widths = new Map([
  ['tinyint', 8],
  ['smallint', 16],
  ['int', 32],
  ['bigint', 64],
]);

/** The bits of a value as a number without a sign. */
interface Bits {
  readonly width: number;
  readonly value: bigint;
}

function bitsOf(value: unknown, { name }: AnyType): Bits {
  const width = widths.get(name);
  if (width !== undefined) return { width, value: BigInt.asUintN(width, BigInt(value as number | bigint)) };
  // Only binary types remain.
  const bytes = value as Uint8Array;
  return { width: bytes.length * 8, value: BigInt(`0x0${Buffer.from(bytes).toString('hex')}`) };
}

function fromBits({ width, value }: Bits, { name }: AnyType): unknown {
  const bits = BigInt.asUintN(width, value);
  if (!widths.has(name)) return Uint8Array.from(Buffer.from(bits.toString(16).padStart(width / 4, '0'), 'hex'));
  if (name === 'tinyint') return Number(bits);
  const signed = BigInt.asIntN(width, bits);
  return name === 'bigint' ? signed : Number(signed);
}

/** The types whose bits can be read and changed; values of a max type cannot. */
const hasBits = ({ name, maxLength }: AnyType): boolean =>
  widths.has(name) || ((name === 'binary' || name === 'varbinary') && maxLength >= 0);

type Apply = (bits: Bits, type: AnyType, ...numbers: readonly bigint[]) => unknown;

/** A function of bits, and of so many whole numbers: 8116 for a value of another type. */
const ofBits = (name: string, numbers: number, apply: Apply, returns?: AnyType, optional = 0): FunctionSpec => ({
  min: 1 + numbers,
  max: 1 + numbers + optional,
  compile([first, ...rest], context) {
    if (first === undefined || first.bare || !hasBits(first.type))
      throw sqlError(8116, first === undefined || first.bare ? 'NULL' : first.type.name, 1, name.toLowerCase());
    const { type } = first;
    const all = [first, ...rest.map((each) => coerce(each, t.bigint, context))];
    return derived(returns ?? type, all, ([value, ...rest]) =>
      apply(bitsOf(value, type), type, ...rest.map((number) => BigInt(number as bigint))),
    );
  },
});

/** Bits that leave the value are lost, and zeros come in; a negative distance is one to the other side. */
function shifted({ width, value }: Bits, distance: bigint): Bits {
  if (distance >= width || distance <= -width) return { width, value: 0n };
  return { width, value: distance < 0n ? value >> -distance : value << distance };
}

const bitsOfDigit = Array.from(
  { length: 16 },
  (_, digit) => [...digit.toString(2)].filter((bit) => bit === '1').length,
);

const ones = ({ value }: Bits): bigint =>
  BigInt([...value.toString(16)].reduce((sum, digit) => sum + (bitsOfDigit[Number.parseInt(digit, 16)] ?? 0), 0));

/** The one bit at an offset: 4199 if there is none. */
function one(name: string, { width }: Bits, offset = 0n): bigint {
  if (offset < 0n || offset >= width) throw sqlError(4199, String(offset), 2, name);
  return 1n << offset;
}

function withBit(bits: Bits, offset: bigint | undefined, bit = 1n): Bits {
  const mask = one('set_bit', bits, offset);
  if (bit !== 0n && bit !== 1n) throw sqlError(4199, String(bit), 3, 'set_bit');
  return { ...bits, value: bit === 1n ? bits.value | mask : bits.value & ~mask };
}

/** The functions about bits; `<<` and `>>` are read as two of them. */
export const bitFunctions: Readonly<Record<string, FunctionSpec>> = {
  LEFT_SHIFT: ofBits('LEFT_SHIFT', 1, (bits, type, distance = 0n) => fromBits(shifted(bits, distance), type)),
  RIGHT_SHIFT: ofBits('RIGHT_SHIFT', 1, (bits, type, distance = 0n) => fromBits(shifted(bits, -distance), type)),
  GET_BIT: ofBits('GET_BIT', 1, (bits, _, offset) => (bits.value & one('get_bit', bits, offset)) !== 0n, t.bit),
  SET_BIT: ofBits('SET_BIT', 1, (bits, type, offset, bit) => fromBits(withBit(bits, offset, bit), type), undefined, 1),
  BIT_COUNT: ofBits('BIT_COUNT', 0, ones, t.bigint),
};
