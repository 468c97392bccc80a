import { claims } from '../jobs/claims/index.ts';
import { whyItemsWaitOf } from '../jobs/claims/why/why-items-wait.ts';
import { claimItems } from './claim-items.ts';

/** What workers of conversions do that must not work on the same item, and what people ask of them. */
export const wordClaims = { claimItems, ...claims, whyItemsWait: whyItemsWaitOf() };
