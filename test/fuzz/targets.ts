import type { Target } from './target.ts';
import { documentTargets } from './targets/documents.ts';
import { liveTargets } from './targets/live.ts';
import { recordTargets } from './targets/records.ts';
import { sspiTargets } from './targets/sspi.ts';
import { tsqlTargets } from './targets/tsql.ts';
import { valueTargets } from './targets/values.ts';
import { wireTargets } from './targets/wire.ts';

/** Everything that is fuzzed; another decoder is another entry. */
export const targets: readonly Target[] = [
  ...wireTargets,
  ...tsqlTargets,
  ...valueTargets,
  ...documentTargets,
  ...recordTargets,
  ...sspiTargets,
  ...liveTargets,
];
