import { flag, hresult } from '../values.ts';
import { errorLevel, mostImportant } from './levels.ts';
import { isAnchor, type ProcessingRecord } from './record.ts';
import type { Committed } from './transaction.ts';

/** Whether the document is to be deleted, kept despite the error, or reported as about to be deleted. */
export interface Verdict {
  readonly isDeleted: boolean;
  /** @ResetMarkDelete of the specification. */
  readonly isSpared: boolean;
  readonly isReported: boolean;
}

const hour = 3_600_000;

/** Milliseconds since a moment; NaN, for which no comparison holds, if there was none. */
const since = (moment: number | null, now: Date): number => (moment === null ? Number.NaN : now.getTime() - moment);

/** Decides what an error means for a document. */
export function verdict(transaction: Committed, before: ProcessingRecord, now: Date): Verdict {
  const isSpared = transaction.MarkDelete && isToBeSpared(transaction, before, now);
  const failed = !isSpared && transaction.ErrorLevel === errorLevel.error;
  const age = since(before.firstErrorTime, now);
  const interval = transaction.ErrorIntervalAllowed * hour;
  let isDeleted = transaction.MarkDelete && !isSpared;
  if (!isDeleted && failed) isDeleted = before.errorCount > transaction.ErrorCountAllowed && age > interval;
  const isReported = !isDeleted && failed && 2 * before.errorCount > transaction.ErrorCountAllowed && age < interval;
  if (isAnchor(before)) isDeleted = true;
  if (transaction.isSecurityOnly) isDeleted = false;
  return { isDeleted, isSpared, isReported };
}

/** An existing or important document is not deleted at the first Access Denied or Object Not Found. */
function isToBeSpared(transaction: Committed, before: ProcessingRecord, now: Date): boolean {
  const matters =
    before.commitCrawlId !== 0 ||
    (transaction.TransactionFlags & flag.processLinks) !== 0 ||
    transaction.LogLevel === mostImportant;
  const mayPass = transaction.hrResult === hresult.accessDenied || transaction.hrResult === hresult.notFound;
  if (!matters || !mayPass || transaction.ErrorDeleteCountAllowed <= 0) return false;
  return (
    before.errorDeleteCount < transaction.ErrorDeleteCountAllowed ||
    before.firstErrorDeleteTime === null ||
    since(before.firstErrorDeleteTime, now) < transaction.ErrorDeleteIntervalAllowed * hour
  );
}
