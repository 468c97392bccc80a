import { claims } from '../jobs/claims/index.ts';
import { claimItems } from './claim-items.ts';

/** What workers of conversions do that must not work on the same item. */
export const wordClaims = { claimItems, ...claims };
