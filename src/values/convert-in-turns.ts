import { inTurns } from '../base/steps.ts';
import type { Turn } from '../base/turn.ts';
import { type ConvertOptions, convert, xmlSteps } from '../tds/convert/convert.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { isLong } from './long-value.ts';

/** Converts a value of T-SQL; a long document, which takes long to read, with turns for others in between: a promise then. */
export function convertInTurns(
  value: unknown,
  from: AnyType,
  to: AnyType,
  options: ConvertOptions,
  turn: Turn,
): unknown {
  const isLongDocument = to.name === 'xml' && isLong(value);
  return isLongDocument ? inTurns(xmlSteps(value, from, to, options), turn) : convert(value, from, to, options);
}
