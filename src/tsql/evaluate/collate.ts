import { collatedType } from '../../values/collated-type.ts';
import type { Compiled } from './compiled.ts';

/** An expression under COLLATE. */
export function collate(compiled: Compiled, name: string): Compiled {
  return { ...compiled, type: collatedType(compiled.type, name, true) };
}
