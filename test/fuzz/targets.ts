import type { Target } from './target.ts';
import { documentTargets } from './targets/documents.ts';
import { liveTargets } from './targets/live.ts';
import { recordTargets } from './targets/records.ts';
import { tsqlTargets } from './targets/tsql.ts';
import { valueTargets } from './targets/values.ts';
import { wireTargets } from './targets/wire.ts';

/** Everything that is fuzzed; another decoder (SSPI, say) is another entry. */
export const targets: readonly Target[] = [
  ...wireTargets,
  ...tsqlTargets,
  ...valueTargets,
  ...documentTargets,
  ...recordTargets,
  ...liveTargets,
];
