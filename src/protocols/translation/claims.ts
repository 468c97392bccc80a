import { claims } from '../jobs/claims/index.ts';
import { whyItemsWaitOf } from '../jobs/claims/why/why-items-wait.ts';
import { claimItems } from './claim-items.ts';
import { refusalOf } from './refusals.ts';

/** Procedures for workers that must not work on the same item, and for people who inspect them. */
export const translationClaims = { claimItems, ...claims, whyItemsWait: whyItemsWaitOf(refusalOf) };
