import { areZeros } from '../base/memory/zeros.ts';
import { compare, compareSteps as compareTexts } from '../base/text/collation.ts';
import type { Steps } from '../base/threads/steps.ts';
import { guidToBytes } from '../tds/convert/bytes.ts';
import { convert } from '../tds/convert/convert.ts';
import { type Family, familyOf } from '../tds/convert/families.ts';
import { toMoment } from '../tds/convert/moment.ts';
import { type Decimal, rescale } from '../tds/types/decimal.ts';
import type { AnyType, TypedValue } from '../tds/types/sql-type.ts';
import { commonType } from './precedence.ts';

type Comparator = (a: unknown, b: unknown, type: AnyType) => number;

// Each comparator is called only with values of its own family, as the type says.
const sign = (difference: number): number => Math.sign(difference);
const byNumber = (a: unknown, b: unknown): number => sign(Number(a) - Number(b));

const comparators: Record<Family, Comparator> = {
  integer: (a, b) => (a === b ? 0 : (a as bigint) < (b as bigint) ? -1 : 1),
  bit: byNumber,
  float: byNumber,
  decimal: (a, b) => compareExact(a as Decimal, b as Decimal),
  money: (a, b) => compareExact(a as Decimal, b as Decimal),
  text: (a, b, { collation }) => (collation?.compare ?? compare)(String(a), String(b)),
  xml: (a, b) => compare(String(a), String(b)),
  bytes: (a, b) => compareBytes(a as Uint8Array, b as Uint8Array),
  rowversion: (a, b) => (a === b ? 0 : (a as bigint) < (b as bigint) ? -1 : 1),
  moment: (a, b, type) => {
    const left = toMoment(a, type);
    const right = toMoment(b, type);
    return sign(left.day - right.day || left.ticks - right.ticks);
  },
  guid: (a, b) => compareGuids(String(a), String(b)),
  variant: (a, b) => compareVariants(a as TypedValue, b as TypedValue),
  // No expression is a table.
  table: () => 0,
};

/** Orders two values of a type, neither of them NULL. */
export const compareValues: Comparator = (a, b, type) => comparators[familyOf(type.name)](a, b, type);

/** The same in steps, for values of which one is long. */
export function* compareSteps(a: unknown, b: unknown, type: AnyType): Steps<number> {
  switch (familyOf(type.name)) {
    case 'text':
      return yield* (type.collation?.compareSteps ?? compareTexts)(String(a), String(b));
    case 'xml':
      return yield* compareTexts(String(a), String(b));
    case 'bytes':
      return yield* byteSteps(a as Uint8Array, b as Uint8Array);
    default:
      return compareValues(a, b, type);
  }
}

const orderOfNulls = (a: unknown, b: unknown): number => (a === b ? 0 : a === null ? -1 : 1);

/** Orders as ORDER BY does: NULL comes first. */
export const compareNullable: Comparator = (a, b, type) =>
  a === null || b === null ? orderOfNulls(a, b) : compareValues(a, b, type);

/** The same in steps. */
export function* nullableSteps(a: unknown, b: unknown, type: AnyType): Steps<number> {
  return a === null || b === null ? orderOfNulls(a, b) : yield* compareSteps(a, b, type);
}

function compareExact(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const left = rescale(a, scale).unscaled;
  const right = rescale(b, scale).unscaled;
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Binary values compare as if the shorter one continued with zeros. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  const order = Buffer.compare(a.subarray(0, length), b.subarray(0, length));
  if (order !== 0) return order;
  if (!areZeros(a, length)) return 1;
  return areZeros(b, length) ? 0 : -1;
}

/** Bytes that are compared at once. */
const pieceLength = 1_000_000;

/** The same in steps: what holds for all of their bytes holds for each piece of them. */
function* byteSteps(a: Uint8Array, b: Uint8Array): Steps<number> {
  for (let at = 0; at < Math.max(a.length, b.length); at += pieceLength) {
    const order = compareBytes(a.subarray(at, at + pieceLength), b.subarray(at, at + pieceLength));
    if (order !== 0) return order;
    yield;
  }
  return 0;
}

/** SQL Server compares a GUID's bytes from its last group to its first. */
const guidOrder = [10, 11, 12, 13, 14, 15, 8, 9, 6, 7, 4, 5, 0, 1, 2, 3];

function compareGuids(a: string, b: string): number {
  const left = guidToBytes(a);
  const right = guidToBytes(b);
  for (const at of guidOrder) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return sign(difference);
  }
  return 0;
}

/** Families of sql_variant values, the greatest first; values of different families do not meet. */
const variantOrder: readonly Family[] = [
  'moment',
  'float',
  'decimal',
  'money',
  'integer',
  'bit',
  'text',
  'bytes',
  'guid',
];
const variantRank = (family: Family): number =>
  ['decimal', 'money', 'integer', 'bit'].includes(family) ? 2 : variantOrder.indexOf(family);

function compareVariants(a: TypedValue, b: TypedValue): number {
  const left = variantRank(familyOf(a.type.name));
  const right = variantRank(familyOf(b.type.name));
  if (left !== right) return left < right ? 1 : -1;
  const type = commonType(a.type, b.type);
  const how = { implicit: false };
  return compareValues(convert(a.value, a.type, type, how), convert(b.value, b.type, type, how), type);
}
