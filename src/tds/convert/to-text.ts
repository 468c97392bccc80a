import { sqlError } from '../../base/messages/sql-error.ts';
import { withoutTrailingBlanks } from '../../base/text/collation.ts';
import { ownPart } from '../../base/text/own-part.ts';
import { encodeText } from '../types/code-page.ts';
import { ownPage } from '../types/code-page-text.ts';
import { decodeText } from '../types/collation.ts';
import { type Decimal, formatDecimal } from '../types/decimal.ts';
import type { AnyType } from '../types/sql-type.ts';
import { textOfBytes } from '../types/xml-encoding.ts';
import { integerToBytes, toHex } from './bytes.ts';
import { familyOf, isOldLob, isUnicode, nameInMessage } from './families.ts';
import { formatMoment } from './format-moment.ts';
import { formatFloat, formatMoney } from './format-number.ts';
import { toMoment } from './moment.ts';

/** The number of characters that a text type holds. */
export function charactersOf(type: AnyType): number {
  if (type.maxLength < 0 || isOldLob(type.name) || type.name === 'xml') return Number.POSITIVE_INFINITY;
  return isUnicode(type.name) ? type.maxLength / 2 : type.maxLength;
}

/** A value as text; `verify` refuses overlong text with 8152, which SQL Server's expressions truncate. */
export function toText(value: unknown, from: AnyType, to: AnyType, style: number | undefined, verify: boolean): string {
  const text = forCodePage(written(value, from, to, style), to);
  const room = charactersOf(to);
  if (text.length <= room) return to.name === 'char' || to.name === 'nchar' ? text.padEnd(room) : text;
  // Only blanks may be dropped from overlong text: a tab or a line break is a character like any other.
  if (verify && withoutTrailingBlanks(text.slice(room)) !== '') throw sqlError(8152);
  return tooLong(text, room, from, to);
}

function written(value: unknown, from: AnyType, to: AnyType, style: number | undefined): string {
  switch (familyOf(from.name)) {
    case 'bit':
      return value === true ? '1' : '0';
    case 'decimal':
      return formatDecimal(value as Decimal);
    case 'money':
      return formatMoney(value as Decimal, style);
    case 'float':
      return formatFloat(Number(value), style);
    case 'bytes':
      return bytesAsText(value as Uint8Array, to, style);
    case 'rowversion':
      return bytesAsText(integerToBytes(value as bigint, 8), to, style);
    case 'moment':
      return formatMoment(toMoment(value, from), from, style);
    case 'guid':
      return String(value).toUpperCase();
    default:
      return String(value);
  }
}

/** Characters that varchar's code page lacks become question marks. */
function forCodePage(text: string, to: AnyType): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of plain ASCII, which needs no look-up.
  if (isUnicode(to.name) || to.name === 'xml' || /^[\x00-\x7f]*$/.test(text)) return text;
  const page = to.collation?.page ?? ownPage;
  return decodeText(encodeText(text, page), page);
}

function bytesAsText(bytes: Uint8Array, to: AnyType, style: number | undefined): string {
  if (style === 1) return fitHex(`0x${toHex(bytes)}`, to);
  if (style === 2) return fitHex(toHex(bytes), to);
  if (to.name === 'xml') {
    const isOfUnits = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0x3c && bytes[1] === 0);
    return isOfUnits ? decodeText(bytes, 'utf-16le').replace(/^\ufeff/, '') : textOfBytes(bytes);
  }
  return isUnicode(to.name) ? Buffer.from(bytes).toString('utf16le') : decodeText(bytes, to.collation?.page ?? ownPage);
}

/** Hexadecimal text is truncated after a complete byte. */
function fitHex(hex: string, to: AnyType): string {
  const room = charactersOf(to);
  return hex.length <= room ? hex : ownPart(hex, 0, room - (room % 2));
}

const starred = new Set(['int', 'smallint', 'tinyint']);

/** Text and dates are truncated; a number that does not fit is an error, or an asterisk for the small integers. */
function tooLong(text: string, room: number, from: AnyType, to: AnyType): string {
  switch (familyOf(from.name)) {
    case 'integer':
      if (starred.has(from.name) && !isUnicode(to.name)) return '*'.padEnd(to.name === 'char' ? room : 1);
      throw sqlError(8115, 'expression', to.name);
    case 'decimal':
    case 'float':
      throw sqlError(8115, nameInMessage(from.name), to.name);
    case 'money':
      throw sqlError(234, to.name);
    case 'guid':
      throw sqlError(8170);
    default:
      return ownPart(text, 0, room);
  }
}
