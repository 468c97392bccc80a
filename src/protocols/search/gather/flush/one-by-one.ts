import { itemType, transactionType } from '../values.ts';
import type { Known } from './known.ts';
import type { Link } from './link.ts';
import type { Plan } from './plan.ts';
import { type Case, steps } from './steps.ts';

/** Decides the remaining links in order; each sees the changes of those before it. */
export function decideOneByOne(plan: Plan, links: readonly Link[]): void {
  for (const link of links) {
    // They concern anchors and stand for no item.
    if (link.itemType === itemType.lastLink || link.itemType === itemType.anchorLink) continue;
    if (link.itemType === itemType.link && link.transactionType === transactionType.rename) rename(plan, link);
    else take(plan, link, link.transactionType, plan.known.byAccess(link));
  }
}

/**
 * A renamed item is known by its compact URL, or where nothing has that by the URL that it has now: under the same access URL
 * it was modified, else deleted there and added here.
 */
function rename(plan: Plan, link: Link): void {
  const before = plan.known.byCompact(link) ?? plan.known.byAccess(link);
  if (before === undefined) return;
  if (before.access === link.access) {
    take(plan, link, transactionType.modify, before);
    return;
  }
  take(plan, link, transactionType.delete, before);
  take(plan, link, transactionType.add, plan.known.byAccess(link));
}

function take(plan: Plan, link: Link, type: number, known: Known | undefined): void {
  plan.meet(link, known);
  const its: Case = { plan, link, type, known };
  for (const step of steps) if (step(its) === 'done') return;
}
