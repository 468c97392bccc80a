import { itemType, transactionType } from '../values.ts';
import type { Known } from './known.ts';
import type { Link } from './link.ts';
import type { Plan } from './plan.ts';
import { type Case, steps } from './steps.ts';

/** Decides the remaining links in order; each sees the changes of those before it. */
export function decideOneByOne(plan: Plan, links: readonly Link[]): void {
  for (const link of links) {
    // They concern anchors and represent no item.
    if (link.itemType === itemType.lastLink || link.itemType === itemType.anchorLink) continue;
    if (link.itemType === itemType.link && link.transactionType === transactionType.rename) rename(plan, link);
    else take(plan, link, link.transactionType, plan.known.byAccess(link));
  }
}

/**
 * A renamed item is deleted at its former compact URL, and added at its new place: an ordinary link may have led there
 * before. If it was at no other place, it was modified.
 */
function rename(plan: Plan, link: Link): void {
  const before = plan.known.elsewhere(link);
  if (before.length === 0 && plan.known.byAccess(link) === undefined) return;
  for (const known of before) take(plan, link, transactionType.delete, known);
  const type = before.length === 0 ? transactionType.modify : transactionType.add;
  take(plan, link, type, plan.known.byAccess(link));
}

function take(plan: Plan, link: Link, type: number, known: Known | undefined): void {
  plan.meet(link, known);
  const its: Case = { plan, link, type, known };
  for (const step of steps) if (step(its) === 'done') return;
}
