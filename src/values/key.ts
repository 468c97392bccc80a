import { fold } from '../base/collation.ts';
import { formatDecimal, isDecimal } from '../tds/types/decimal.ts';
import { isInstant } from '../tds/types/instant.ts';
import type { AnyType, TypedValue } from '../tds/types/sql-type.ts';

/** A text that is the same for values that T-SQL holds equal: for unique keys, DISTINCT, GROUP BY and hash joins. */
export function keyOf(values: readonly (readonly [unknown, AnyType | undefined])[]): string {
  return values.map(([value, type]) => keyOfOne(value, type)).join('\u0001');
}

function keyOfOne(value: unknown, type: AnyType | undefined): string {
  if (value === null || value === undefined) return 'N';
  if (typeof value === 'string')
    return `s${type?.name === 'uniqueidentifier' ? value : (type?.collation?.key ?? fold)(value).replaceAll('\u0001', '\u0001\u0001')}`;
  if (value instanceof Date) return `d${value.getTime()}`;
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`;
  if (isDecimal(value)) return `n${trimmed(formatDecimal(value))}`;
  if (isInstant(value)) return `i${value.day}:${value.ticks}`;
  if (typeof value === 'object' && 'type' in value && 'value' in value) {
    const variant = value as TypedValue;
    return `v${keyOfOne(variant.value, variant.type)}`;
  }
  return `n${String(typeof value === 'boolean' ? Number(value) : value)}`;
}

const trimmed = (decimal: string): string => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);
