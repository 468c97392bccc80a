import { sqlError } from '../../../base/messages/sql-error.ts';
import type { FunctionCall } from '../../../syntax/ast/expression.ts';
import { refuseWindowsIn } from '../../evaluate/nested-windows.ts';
import { aggregateNames } from '../../functions/aggregate-names.ts';
import { functions } from '../../functions/functions.ts';
import { neighbourNames } from './neighbour.ts';
import { rankingNames } from './ranking.ts';

/** Functions that mean nothing without OVER. */
export const isWindowOnly = (name: string): boolean => rankingNames.has(name) || neighbourNames.has(name);

/** True for the functions of which ROWS and RANGE say what they see. */
const hasFrame = (name: string): boolean => aggregateNames.has(name) || name === 'FIRST_VALUE' || name === 'LAST_VALUE';

/** Refuses what OVER may not say, or may not be said of. */
export function refuseWrongWindow(call: FunctionCall): void {
  const { name, over, args } = call;
  const called = name.toLowerCase();
  const isKnown = isWindowOnly(name) || aggregateNames.has(name);
  if (!isKnown && !Object.hasOwn(functions, name)) throw sqlError(195, name, 'windowed function name');
  if (!isKnown || name === 'STRING_AGG') throw sqlError(4113, called);
  if (call.distinct) throw sqlError(10759);
  if (over?.frame !== undefined && !hasFrame(name)) throw sqlError(10752, called);
  if (isWindowOnly(name) && (over?.orderBy.length ?? 0) === 0) throw sqlError(4112, called);
  for (const { expression } of over?.orderBy ?? []) {
    if (expression.kind !== 'literal') continue;
    throw sqlError(expression.type.name === 'int' && !expression.bare ? 5308 : 5309);
  }
  refuseWindowsIn(args);
}
