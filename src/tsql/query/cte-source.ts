import type { Scope } from '../evaluate/context.ts';
import type { Plan } from './plan.ts';

/** A common table expression in sight: compiled anew wherever it is named. */
export interface CteSource {
  readonly name: string;
  plan(outer: Scope | undefined): Plan;
}
