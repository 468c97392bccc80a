import type { RecordValue, transactionCommit } from '../../../protocols/search/records/index.ts';
import type { RunningCrawl } from '../component/item.ts';
import { writeMemory } from '../component/memory.ts';
import type { Outcome } from '../component/outcome.ts';
import type { SourceRules } from '../rules/source-rules.ts';
import { compactHash, compactUrl, hash32, hash64 } from '../url/hash.ts';
import { endPathFlag } from '../url/normal-url.ts';
import type { KnownError } from './directory.ts';

/** The values of TransactionStatus: another try, or done. */
const status = { retry: 3, commit: 90 } as const;

/** How important an item is (2.2.1.9): nothing is reached without a start address. */
const importance = { startAddress: 2, other: 0 } as const;

/**
 * The number of errors, and their age in hours, after which an item would be crawled without its change log; web pages
 * have none.
 */
const recrawl = { RecrawlErrorCount: 5, RecrawlErrorInterval: 120 };

interface Committing {
  readonly crawl: RunningCrawl;
  readonly rules: SourceRules;
  readonly error: KnownError;
  readonly isStartAddress: boolean;
  /** The crawl stores that have links of it (2.2.2.2). */
  readonly linksBitmap: number;
}

/** What a component reports of an item (2.2.3.19). */
export function commitRecord(
  outcome: Outcome,
  { crawl, rules, error, isStartAddress, linksBitmap }: Committing,
): RecordValue<(typeof transactionCommit)['fields']> {
  const { item, memory } = outcome;
  const url = item.AccessURL ?? '';
  const compact = item.CompactURL ?? compactUrl(url);
  const blob = writeMemory(memory);
  return {
    DocID: item.DocID,
    CrawlID: item.CrawlID,
    CrawlType: crawl.type,
    TransactionType: item.TransactionType,
    Scope: item.Scope ?? 0,
    TransactionFlags: outcome.isRetry ? item.TransactionFlags : outcome.flags,
    CompactURL: compact,
    CompactHash: compactHash(compact),
    ParentCompactURL: null,
    ParentCompactHash: 0,
    DisplayURL: url,
    DisplayHash: hash32(url),
    LastModifiedTime: outcome.lastModified,
    EndPathFlag: endPathFlag(url),
    PropMD5: outcome.propertyHash,
    MD5: outcome.contentHash,
    HostDepth: item.HostDepth ?? 0,
    EnumerationDepth: item.EnumerationDepth ?? 0,
    RetryCount: outcome.isRetry ? (item.RetryCount ?? 0) + 1 : 0,
    DelayRetryCount: item.DelayRetryCount ?? 0,
    IndexType: outcome.indexType,
    SeqID: item.SeqID,
    UseChangeLog: 0,
    ChangeLogBatchID: 0,
    ChangeLogCookie: null,
    ChangeLogCookieType: 0,
    ErrorDesc: outcome.description,
    hrResult: outcome.hresult,
    DocPropsMD5: hash64(blob),
    DocPropsBlob: blob,
    TransactionStatus: outcome.isRetry ? status.retry : status.commit,
    ErrorID: error.id,
    ErrorLevel: error.level,
    MarkDelete: error.marksDelete ? 1 : 0,
    LinksBitmap: linksBitmap,
    Title: memory.title ?? null,
    TitleLCID: memory.lcid ?? 0,
    SecurityId: null,
    PHFlags: 0,
    UseSecurityInfo: 0,
    ProtocolLength: url.indexOf(':') + 1,
    LogLevel: isStartAddress ? importance.startAddress : importance.other,
    ErrorSource: 0,
    ...recrawl,
    ErrorIntervalAllowed: rules.errorHours,
    ErrorCountAllowed: rules.errorCount,
    ErrorDeleteCountAllowed: rules.errorDeleteCount,
    ErrorDeleteIntervalAllowed: rules.errorDeleteHours,
    ChangeLogCookieEnd: null,
    ChildSecurityBlob: null,
  };
}
