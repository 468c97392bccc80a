import type { Scenario } from '../support/scenario.ts';
import { conversionBatch } from './conversion-batch.ts';
import { expire } from './expire.ts';
import { fullHouse } from './full-house.ts';
import { memory } from './memory.ts';
import { singleCall } from './single-call.ts';
import { succeededItems } from './succeeded-items.ts';

/** Every scenario, in the order that they run. */
export const scenarios: readonly Scenario[] = [succeededItems, singleCall, conversionBatch, fullHouse, expire, memory];
