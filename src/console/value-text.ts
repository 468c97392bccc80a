import { SqlError } from '../base/messages/sql-error.ts';
import { ownPart } from '../base/text/own-part.ts';
import { convert } from '../tds/convert/convert.ts';
import { nvarchar } from '../tds/types/index.ts';
import type { AnyType, TypedValue } from '../tds/types/sql-type.ts';

const longText = nvarchar('max');

/** How much of 2024-05-06 07:08:09.123 T-SQL writes of a type that holds less. */
const written: ReadonlyMap<string, number> = new Map([
  ['date', 10],
  ['smalldatetime', 19],
]);

/** A value as T-SQL would write it, at most this many characters long; null for NULL. */
export function valueText(value: unknown, type: AnyType, longest: number): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) {
    const hex = `0x${Buffer.from(value.subarray(0, longest)).toString('hex').toUpperCase()}`;
    return value.length > longest ? `${hex} …` : hex;
  }
  if (isTyped(value)) return valueText(value.value, value.type, longest);
  if (value instanceof Date)
    return value
      .toISOString()
      .replace('T', ' ')
      .slice(0, written.get(type.name) ?? 23);
  return cut(typeof value === 'string' ? value : converted(value, type), longest);
}

const cut = (text: string, longest: number): string =>
  text.length > longest ? `${ownPart(text, 0, longest)} …` : text;

const isTyped = (value: unknown): value is TypedValue =>
  typeof value === 'object' && value !== null && 'type' in value && 'value' in value;

function converted(value: unknown, type: AnyType): string {
  try {
    return String(convert(value, type, longText, { implicit: false }));
  } catch (error) {
    if (error instanceof SqlError) return String(value);
    throw error;
  }
}
