import { fold, foldPiece, withoutTrailingBlanks } from '../base/text/collation.ts';
import { changedInPieces } from '../base/text/text-units.ts';
import { atOnce, type Steps } from '../base/threads/steps.ts';
import { formatDecimal, isDecimal } from '../tds/types/decimal.ts';
import { isInstant } from '../tds/types/instant.ts';
import type { AnyType, TypedValue } from '../tds/types/sql-type.ts';
import { isLong } from './long-value.ts';

/** Values with their types, in the order in which a key has them. */
export type KeyValues = readonly (readonly [unknown, AnyType | undefined])[];

/** A text that is the same for values that T-SQL holds equal: for unique keys, DISTINCT, GROUP BY and hash joins. */
export function keyOf(values: KeyValues): string {
  return values.map(([value, type]) => keyOfOne(value, type)).join('\u0001');
}

/** True if a key takes so long that it should be built in steps. */
export const isLongKey = (values: KeyValues): boolean => values.some(([value]) => isLong(value));

/** The same key in steps. */
export function* keySteps(values: KeyValues): Steps<string> {
  const parts: string[] = [];
  for (const [value, type] of values) parts.push(isLong(value) ? yield* longKey(value, type) : keyOfOne(value, type));
  yield;
  return parts.join('\u0001');
}

/** The separator between the values of a key; within a value it is doubled. */
const doubled = (text: string): string => text.replaceAll('\u0001', '\u0001\u0001');

/** Bytes that are written at once. */
const pieceLength = 500_000;

function* longKey(value: unknown, type: AnyType | undefined): Steps<string> {
  if (typeof value === 'string') {
    const change = type?.collation?.keyOfPiece ?? foldPiece;
    return withoutTrailingBlanks(yield* changedInPieces(value, (piece) => doubled(change(piece)), 's'));
  }
  if (!(value instanceof Uint8Array)) return keyOfOne(value, type);
  let written = 'b';
  for (let at = 0; at < value.length; at += pieceLength) {
    written += Buffer.from(value.subarray(at, at + pieceLength)).toString('hex');
    yield;
  }
  return written;
}

function keyOfOne(value: unknown, type: AnyType | undefined): string {
  if (value === null || value === undefined) return 'N';
  if (typeof value === 'string')
    return `s${type?.name === 'uniqueidentifier' ? value : doubled((type?.collation?.key ?? fold)(value))}`;
  if (value instanceof Date) return `d${value.getTime()}`;
  if (value instanceof Uint8Array) return atOnce(longKey(value, type));
  if (isDecimal(value)) return `n${trimmed(formatDecimal(value))}`;
  if (isInstant(value)) return `i${value.day}:${value.ticks}`;
  if (typeof value === 'object' && 'type' in value && 'value' in value) {
    const variant = value as TypedValue;
    return `v${keyOfOne(variant.value, variant.type)}`;
  }
  return `n${String(typeof value === 'boolean' ? Number(value) : value)}`;
}

const trimmed = (decimal: string): string => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);
