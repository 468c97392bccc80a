import { claims } from '../jobs/claims/index.ts';
import { whyItemsWaitOf } from '../jobs/claims/why/why-items-wait.ts';
import { claimItems } from './claim-items.ts';
import { refusalOf } from './refusals.ts';

/** What workers of translations do that must not work on the same item, and what people ask of them. */
export const translationClaims = { claimItems, ...claims, whyItemsWait: whyItemsWaitOf(refusalOf) };
