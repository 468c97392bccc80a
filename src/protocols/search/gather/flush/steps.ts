import { crawlType } from '../../crawls/crawl-status.ts';
import { deleteReason, flag, itemType, notModifiedError, scope, transactionType } from '../values.ts';
import type { Known } from './known.ts';
import type { Link } from './link.ts';
import type { Plan, QueueRow } from './plan.ts';

/** A link passing through the steps of 3.1.5.14: `type` is its transaction type, `known` its record of the history. */
export interface Case {
  readonly plan: Plan;
  readonly link: Link;
  readonly type: number;
  readonly known: Known | undefined;
}

/** A step finishes a link with `done`, or passes it on. */
type Step = (its: Case) => 'done' | undefined;

const has = (flags: number, bit: number): boolean => (flags & bit) !== 0;
const doneIf = (condition: boolean): 'done' | undefined => (condition ? 'done' : undefined);
const isMet = ({ plan, link, type, known }: Case): boolean => known !== undefined && plan.hasMet(known, link, type);

const unknownIsDeleted: Step = ({ link, type, known }) =>
  doneIf(link.itemType === itemType.link && type === transactionType.delete && known === undefined);

const knownStartAddress: Step = ({ link, known }) =>
  doneIf(known !== undefined && link.itemType === itemType.startAddress && link.crawlType === crawlType.incremental);

const metByThisCrawl: Step = (its) => doneIf(isMet(its) && its.link.changeLogBatchId === 0);

/**
 * The specification does not say that the crawl must have met the item: change logs would then never update anything.
 */
const changeOfCommitted: Step = (its) =>
  doneIf(
    isMet(its) &&
      its.link.changeLogBatchId !== 0 &&
      (its.link.itemType === itemType.link || its.link.itemType === itemType.linkShallow) &&
      (its.type === transactionType.add || its.type === transactionType.modify) &&
      its.known?.commitCrawlId !== 0,
  );

const changeOfDeeplyCrawled: Step = (its) =>
  doneIf(
    isMet(its) &&
      its.link.changeLogBatchId !== 0 &&
      its.known?.commitCrawlId !== 0 &&
      its.known?.crawlScope === scope.deep,
  );

const changeOfFileWithTimestamp: Step = (its) =>
  doneIf(
    isMet(its) &&
      its.link.changeLogBatchId !== 0 &&
      has(its.known?.transactionFlags ?? 0, flag.foundByTimestamp) &&
      !has(its.known?.transactionFlags ?? 0, flag.folder),
  );

const belongsToOtherStartAddress: Step = ({ link, known }) => {
  if (known === undefined || link.startAddressId === known.startAddressId) return undefined;
  const hasSource = link.sourceDocId !== -1;
  return doneIf(
    (known.parentDocId === -1 && link.itemType === itemType.startAddress && link.changeLogBatchId === 0) ||
      (hasSource && link.hostId !== link.sourceHostId) ||
      (hasSource && link.protocolSwitch === 1 && link.sourceIsStartAddress !== 1 && link.sourceHostHop === 1),
  );
};

const notModified: Step = ({ plan, link, known }) => {
  if (known === undefined || link.crawlType !== crawlType.incremental || link.useChangeLog !== 0) return undefined;
  if (known.crawlId >= plan.crawl) return undefined;
  if (link.lastModifiedTime === null || link.lastModifiedTime !== known.lastModifiedTime) return undefined;
  if (!has(link.transactionFlags, flag.foundByTimestamp) || has(link.transactionFlags, flag.securityOnly))
    return undefined;
  plan.change(known, {
    crawlId: plan.crawl,
    commitCrawlId: plan.crawl,
    errorId: notModifiedError.id,
    errorLevel: notModifiedError.level,
  });
  return 'done';
};

const securityOnly: Step = ({ plan, link, known }) => {
  if (known === undefined || link.changeLogBatchId <= 0 || !has(link.transactionFlags, flag.securityOnly))
    return undefined;
  const isCached = has(link.transactionFlags, flag.cachedSecurity);
  // Already queued by this crawl: this concerns only security, so the content is not crawled for it.
  if (known.securityUpdateCrawlId >= plan.crawl) return 'done';
  if (isCached && known.cachedSecurityUpdateCrawlId >= plan.crawl) return 'done';
  plan.queue.push({
    link,
    docId: known.docId,
    transactionType: transactionType.modify,
    scope: scope.deep,
    deleteReason: null,
    known: {
      sourceDocId: known.parentDocId ?? -1,
      transactionFlags: known.transactionFlags | flag.securityOnly,
      hostDepth: known.hostDepth,
      enumerationDepth: known.enumerationDepth,
    },
  });
  plan.change(
    known,
    isCached
      ? { cachedSecurityUpdateCrawlId: plan.crawl }
      : { securityUpdateCrawlId: plan.crawl, losesSecurityId: true },
  );
  return 'done';
};

const addOrModify: Step = ({ plan, link, type, known }) => {
  if (type === transactionType.delete || link.hrResult !== 0) return undefined;
  // Entries of the change log itself pass; only other links of an item that is crawled by its change log do not.
  if (link.useChangeLog === 1 && link.parentProcessChangeLog === 1 && link.changeLogBatchId === 0) return 'done';
  const keepsParent = link.useChangeLog === 1 && known !== undefined && known.parentDocId !== null;
  const parentDocId = keepsParent ? (known.parentDocId ?? link.sourceDocId) : link.sourceDocId;
  const record = known ?? plan.addDocument(link);
  if (known !== undefined) {
    plan.change(known, {
      crawlId: plan.crawl,
      parentDocId,
      startAddressId: link.startAddressId,
      contentSourceId: link.contentSourceId,
      parentHostId: link.sourceHostId,
    });
  }
  plan.queue.push({
    link,
    docId: record.docId,
    transactionType: transactionType.modify,
    scope: scope.deep,
    deleteReason: null,
    known: { sourceDocId: parentDocId },
  });
  return undefined;
};

const failedAndUnknown: Step = ({ plan, link, known }) => {
  if (link.hrResult === 0) return undefined;
  if (known === undefined || link.startAddressId !== known.startAddressId) plan.deletedUrls.push(link);
  return undefined;
};

const failedAndKnown: Step = ({ plan, link, known }) => {
  if (link.hrResult === 0 || known === undefined || link.startAddressId !== known.startAddressId) return undefined;
  remove(plan, link, known, deleteReason.excluded);
  return undefined;
};

const deletedByChangeLog: Step = ({ plan, link, type, known }) => {
  if (link.changeLogBatchId <= 0 || type !== transactionType.delete) return undefined;
  if (known === undefined || known.deletePending) return undefined;
  remove(plan, link, known, deleteReason.changeLog);
  return undefined;
};

function remove(plan: Plan, link: Link, known: Known, reason: number): void {
  const row: QueueRow = {
    link,
    docId: known.docId,
    transactionType: transactionType.delete,
    scope: scope.deep,
    deleteReason: reason,
  };
  plan.queue.push(row);
  plan.change(known, { deletePending: true });
}

/** The steps of a link, in the order of the specification: 1 to 30 of its first list, then those of its second. */
export const steps: readonly Step[] = [
  unknownIsDeleted,
  knownStartAddress,
  metByThisCrawl,
  changeOfCommitted,
  changeOfDeeplyCrawled,
  changeOfFileWithTimestamp,
  belongsToOtherStartAddress,
  notModified,
  securityOnly,
  addOrModify,
  failedAndUnknown,
  failedAndKnown,
  deletedByChangeLog,
];
