import type { Outcomes, Params, Procedure } from '../../procedure/declare.ts';
import { procedure } from '../../procedure/declare.ts';

/** A procedure that MS-WORDSSP2 specifies word for word as MS-WORDSSP does, in a section of its own. */
export function asInVersion1<P extends Params, O extends Outcomes>(first: Procedure<P, O>, section: string) {
  return procedure({ ...first, section: `MS-WORDSSP2 ${section}` });
}
