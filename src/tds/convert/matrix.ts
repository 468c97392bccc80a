import type { TypeName } from '../types/sql-type.ts';
import { type Family, familyOf, isOldLob, isUnicode } from './families.ts';

/** Whether a type converts to another implicitly, only by CAST or CONVERT, or not at all. */
type Permission = 'implicit' | 'explicit' | 'never';

const oldDates = new Set<TypeName>(['datetime', 'smalldatetime']);
const numbers = new Set<Family>(['integer', 'bit', 'decimal', 'money', 'float']);

/** SQL Server's table of conversions between types. */
export function permission(from: TypeName, to: TypeName): Permission {
  if (from === to) return 'implicit';
  if (from === 'table type' || to === 'table type') return 'never';
  if (to === 'sql_variant') return toVariant(from);
  if (isOldLob(from) || isOldLob(to)) return withOldLob(from, to);
  const source = familyOf(from);
  if (numbers.has(source)) return fromNumber(source, to);
  switch (source) {
    case 'text':
      return fromText(from, to);
    case 'bytes':
      return fromBytes(to);
    case 'rowversion':
      return fromRowversion(to);
    case 'moment':
      return fromMoment(from, to);
    case 'guid':
      return familyOf(to) === 'text' || familyOf(to) === 'bytes' ? 'implicit' : 'never';
    case 'xml':
      return familyOf(to) === 'text' || familyOf(to) === 'bytes' ? 'explicit' : 'never';
    default:
      return to === 'timestamp' || to === 'xml' ? 'never' : 'explicit';
  }
}

function toVariant(from: TypeName): Permission {
  return isOldLob(from) || from === 'xml' || from === 'timestamp' ? 'never' : 'implicit';
}

function withOldLob(from: TypeName, to: TypeName): Permission {
  const source = familyOf(from);
  const target = familyOf(to);
  if (source === 'text')
    return target === 'text' ||
      target === 'xml' ||
      (from === 'varchar' && to === 'image') ||
      (from === 'char' && to === 'image')
      ? 'implicit'
      : 'never';
  if (source === 'bytes' || source === 'rowversion')
    return target === 'bytes' || target === 'rowversion' || target === 'xml' ? 'implicit' : 'never';
  return 'never';
}

function fromNumber(source: Family, to: TypeName): Permission {
  const target = familyOf(to);
  if (numbers.has(target) || target === 'bytes' || oldDates.has(to)) return 'implicit';
  if (target === 'text') return source === 'money' ? 'explicit' : 'implicit';
  if (target === 'rowversion') return source === 'float' ? 'never' : 'implicit';
  return 'never';
}

function fromText(from: TypeName, to: TypeName): Permission {
  const target = familyOf(to);
  if (target === 'bytes') return 'explicit';
  if (target === 'rowversion') return isUnicode(from) ? 'never' : 'explicit';
  return 'implicit';
}

function fromBytes(to: TypeName): Permission {
  const target = familyOf(to);
  if (target === 'float') return 'never';
  if (target === 'moment' && !oldDates.has(to)) return 'explicit';
  return 'implicit';
}

function fromRowversion(to: TypeName): Permission {
  const target = familyOf(to);
  if (target === 'float' || target === 'guid' || target === 'xml' || isUnicode(to)) return 'never';
  if (target === 'moment') return oldDates.has(to) ? 'implicit' : 'never';
  return 'implicit';
}

function fromMoment(from: TypeName, to: TypeName): Permission {
  const target = familyOf(to);
  if (target === 'text') return 'implicit';
  if (target === 'bytes') return 'explicit';
  if (target === 'moment')
    return (from === 'date' && to === 'time') || (from === 'time' && to === 'date') ? 'never' : 'implicit';
  return oldDates.has(from) && numbers.has(target) ? 'explicit' : 'never';
}
