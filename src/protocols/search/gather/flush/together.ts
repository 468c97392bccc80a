import { crawlType } from '../../crawls/crawl-status.ts';
import { itemType, scope, transactionType } from '../values.ts';
import type { Link } from './link.ts';
import type { Plan } from './plan.ts';

/** Decides the links that do not depend on each other: known items and new ones. Returns the others. */
export function decideTogether(plan: Plan, links: readonly Link[]): Link[] {
  const isAlone = alone(links);
  for (const link of links) plan.meet(link, plan.known.byAccess(link));
  return links.filter(
    (link) => !isDone(plan, link) && !isRecrawled(plan, link, isAlone) && !isNew(plan, link, isAlone),
  );
}

/** True for a link whose URL no other link of the call has. */
function alone(links: readonly Link[]): (link: Link) => boolean {
  const seen = new Map<string, number>();
  for (const { access } of links) seen.set(access, (seen.get(access) ?? 0) + 1);
  return ({ access }) => seen.get(access) === 1;
}

/** An item that this crawl, or a later one, has already met, unless a rename has to delete it at its former place. */
function isDone(plan: Plan, link: Link): boolean {
  const known = plan.known.byAccess(link);
  if (link.itemType !== itemType.link || known === undefined) return false;
  if (link.transactionType === transactionType.rename && plan.known.elsewhere(link).length > 0) return false;
  return plan.hasMet(known, link, link.transactionType);
}

/** A full crawl crawls known items again. */
function isRecrawled(plan: Plan, link: Link, isAlone: (link: Link) => boolean): boolean {
  const known = plan.known.byAccess(link);
  if (known === undefined || link.itemType === itemType.anchorLink || link.itemType === itemType.lastLink) return false;
  if (link.crawlType !== crawlType.full || link.hrResult !== 0 || !isAlone(link)) return false;
  if (known.startAddressId === 0 || known.startAddressId !== link.startAddressId) return false;
  plan.queue.push({
    link,
    docId: known.docId,
    transactionType: transactionType.modify,
    scope: link.scope,
    deleteReason: null,
  });
  plan.change(known, { crawlId: plan.crawl });
  return true;
}

/** A new item. */
function isNew(plan: Plan, link: Link, isAlone: (link: Link) => boolean): boolean {
  if (link.itemType !== itemType.link || link.hrResult !== 0 || link.parentProcessChangeLog !== 0) return false;
  if (link.transactionType !== transactionType.add && link.transactionType !== transactionType.modify) return false;
  if (plan.known.byAccess(link) !== undefined || !isAlone(link)) return false;
  const { docId } = plan.addDocument(link);
  plan.queue.push({
    link,
    docId,
    transactionType: transactionType.modify,
    scope: scope.deep,
    deleteReason: null,
  });
  return true;
}
