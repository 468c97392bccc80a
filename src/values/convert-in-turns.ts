import { inTurns } from '../base/threads/steps.ts';
import type { Turn } from '../base/threads/turn.ts';
import { type ConvertOptions, convert } from '../tds/convert/convert.ts';
import { convertSteps } from '../tds/convert/convert-steps.ts';
import type { AnyType } from '../tds/types/sql-type.ts';
import { isLong } from './long-value.ts';

/** Converts a value of T-SQL; a long one with turns for others in between: a promise then. */
export function convertInTurns(
  value: unknown,
  from: AnyType,
  to: AnyType,
  options: ConvertOptions,
  turn: Turn,
): unknown {
  return isLong(value) ? inTurns(convertSteps(value, from, to, options), turn) : convert(value, from, to, options);
}
