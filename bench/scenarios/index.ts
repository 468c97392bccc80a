import type { Scenario } from '../support/scenario.ts';
import { singleCall } from './single-call.ts';
import { succeededItems } from './succeeded-items.ts';

/** Every scenario, in the order that they run. */
export const scenarios: readonly Scenario[] = [succeededItems, singleCall];
