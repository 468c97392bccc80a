import { convert } from '../tds/convert/convert.ts';
import { familyOf } from '../tds/convert/families.ts';
import { nvarchar } from '../tds/types/index.ts';
import type { AnyType, TypedValue } from '../tds/types/sql-type.ts';

/** The type and value inside a sql_variant; any other value is unchanged. */
export function unwrapped(value: unknown, type: AnyType): TypedValue {
  // A value of sql_variant carries its own type.
  return type.name === 'sql_variant' && value !== null ? (value as TypedValue) : { type, value };
}

/** Styles of CONVERT: ISO 8601 for moments, all digits for numbers. */
const styles: Readonly<Record<string, number>> = { moment: 126, float: 2, money: 2 };

/**
 * A value as FOR XML and FOR JSON write it, before anything is escaped: moments as ISO 8601 has them, bytes as base64.
 */
export function shownValue(value: unknown, type: AnyType): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  const style = type.name === 'real' ? 1 : styles[familyOf(type.name)];
  const options = style === undefined ? { implicit: false } : { implicit: false, style };
  return String(convert(value, type, nvarchar('max'), options));
}
