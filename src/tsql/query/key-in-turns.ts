import { inTurns } from '../../base/steps.ts';
import type { Turn } from '../../base/turn.ts';
import { isLongKey, type KeyValues, keyOf, keySteps } from '../../values/key.ts';

/** The key of values; where one of them is long, others have their turn while it is made. */
export const keyInTurns = (values: KeyValues, turn: Turn): string | Promise<string> =>
  isLongKey(values) ? inTurns(keySteps(values), turn) : keyOf(values);
