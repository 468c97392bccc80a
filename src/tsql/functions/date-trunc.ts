import { sqlError } from '../../base/messages/sql-error.ts';
import { familyOf } from '../../tds/convert/families.ts';
import { addTicks, fromMoment, localOf, ticksPerMinute, toMoment } from '../../tds/convert/moment.ts';
import * as t from '../../tds/types/index.ts';
import type { AnyType } from '../../tds/types/sql-type.ts';
import { beginningOf, type DatePart, unitTicks } from '../../values/date-parts.ts';
import { coerce } from '../evaluate/coerce.ts';
import type { Compiled } from '../evaluate/compiled.ts';
import type { Context } from '../evaluate/context.ts';
import { derived } from './define.ts';

/** The digits of a second that a type needs to have a part. */
const digitsOf: Readonly<Partial<Record<DatePart, number>>> = { millisecond: 3, microsecond: 6 };

const neverCut: ReadonlySet<DatePart> = new Set(['weekday', 'tzoffset', 'nanosecond']);

/** Whether values of a type can be cut off behind a part. */
function hasPart({ name, scale }: AnyType, part: DatePart): boolean {
  if (neverCut.has(part)) return false;
  const isClock = unitTicks[part] !== undefined;
  if (name === 'date') return !isClock;
  if (name === 'time' && !isClock) return false;
  return scale >= (digitsOf[part] ?? 0);
}

/** DATETRUNC: of the type of its argument; texts are datetime2(7), and 9810 is for a part that the type has not. */
export function dateTrunc(part: DatePart, args: readonly Compiled[], context: Context): Compiled {
  const [given] = args;
  if (given === undefined) throw sqlError(174, 'datetrunc', 2);
  const family = familyOf(given.type.name);
  if (family !== 'moment' && family !== 'text') throw sqlError(8116, given.type.name, 2, 'datetrunc');
  const arg = family === 'moment' ? given : coerce(given, t.datetime2(7), context);
  const { type } = arg;
  if (!hasPart(type, part)) throw sqlError(9810, part, 'datetrunc', type.name);
  return derived(type, [arg], ([value]) => {
    const found = toMoment(value, type);
    const cut = beginningOf(part, localOf(found), context.frame.host.options.dateFirst);
    if (cut.day < 0) throw sqlError(517, type.name);
    const { offset } = found;
    const back = offset === undefined ? cut : { ...addTicks(cut, -offset * ticksPerMinute), offset };
    return fromMoment(back, type, type.name);
  });
}
