import type { CallInput } from '../../../procedure/declare.ts';
import type { updateCrawlStatistics } from '../../../protocols/search/crawls/update-crawl-statistics.ts';
import { transactionType } from '../../../protocols/search/gather/values.ts';
import { notModified } from '../fetch/crawl-error.ts';
import type { KnownError } from '../store/directory.ts';
import type { Outcome } from './outcome.ts';

type Counters = Omit<CallInput<(typeof updateCrawlStatistics)['params']>, 'ComponentID' | 'CrawlID'>;

/** What a component has done, as proc_MSS_UpdateCrawlStatistics counts it. */
export function counted(outcomes: readonly { readonly outcome: Outcome; readonly error: KnownError }[]): Counters {
  const count = (which: (outcome: Outcome, level: number) => boolean) =>
    outcomes.filter(({ outcome, error }) => which(outcome, error.level)).length;
  const isDeletion = ({ item }: Outcome) => item.TransactionType === transactionType.delete;
  const isDone = (outcome: Outcome) => !outcome.isRetry && !isDeletion(outcome);
  return {
    SuccessCount: count((outcome, level) => isDone(outcome) && level === 0),
    WarningCount: count((outcome, level) => isDone(outcome) && level === 1),
    ErrorCount: count((outcome, level) => isDone(outcome) && level === 2),
    DeleteCount: count(isDeletion),
    NotModifiedCount: count(({ hresult }) => hresult === notModified),
    SecurityOnlyCount: 0,
    SecurityOnlyErrorCount: 0,
    LevelHighErrorCount: 0,
    RetryCount: count(({ isRetry }) => isRetry),
  };
}
