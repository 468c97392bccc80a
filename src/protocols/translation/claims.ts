import { claims } from '../jobs/claims/index.ts';
import { claimItems } from './claim-items.ts';

/** What workers of translations do that must not work on the same item. */
export const translationClaims = { claimItems, ...claims };
