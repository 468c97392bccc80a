import type { Column } from '../../src/procedure/run/sink.ts';
import type { RecordValue, transactionCommit } from '../../src/protocols/search/records/index.ts';
import { linkColumns } from './link-rows.ts';

/** What every link of the crawl says alike. */
const alike: Readonly<Record<string, number>> = {
  SourceDocID: 1,
  DocID: -1,
  HostID: 1,
  SourceHostID: 1,
  StartAddressID: 1,
  ContentSourceID: 1,
  ProjectID: 1,
  ItemType: 2,
  CrawlType: 1,
  TransactionType: 0,
  TransactionFlags: 0,
  Scope: 2,
  HostDepth: 0,
  EnumerationDepth: 1,
  IndexType: 1,
  LCID: 1033,
  hrResult: 0,
  ChangeLogBatchID: 0,
  ParentProcessChangeLog: 0,
  UseChangeLog: 0,
};

export const crawlColumns: readonly Column[] = linkColumns;

const hashOf = (at: number): number => Math.imul(at + 1, 0x9e3779b1) | 0;

function value(name: string, crawl: number, at: number): unknown {
  const url = `http://portal.example/sites/team${at % 997}/shared documents/report-${at}.docx`;
  switch (name) {
    case 'CrawlID':
      return crawl;
    case 'AccessURL':
    case 'DisplayURL':
      return url;
    case 'CompactURL':
      return `report-${at}`;
    case 'AccessHash':
    case 'DisplayHash':
    case 'CompactHash':
      return hashOf(at);
    case 'FirstLink':
      return at;
    case 'AnchorText':
      return `Report ${at}`;
    case 'AnchorHash':
      return hashOf(at);
    case 'Host':
      return 'portal.example';
    default:
      return alike[name] ?? null;
  }
}

/** Links to so many documents, from a number on, each a row of `crawlColumns`. */
export function* crawlLinks(crawl: number, first: number, count: number): Generator<readonly unknown[], void> {
  for (let at = first; at < first + count; at++) yield crawlColumns.map(({ name }) => value(name, crawl, at));
}

/** What of an item a commit needs. */
interface Item {
  readonly DocID: number;
  readonly CrawlID: number;
  readonly SeqID: bigint;
  readonly TransactionType: number;
  readonly DisplayURL: string | null;
  readonly CompactURL: string | null;
}

/** The number of the document that a URL names; the signature of a URL is always the same. */
const numberIn = (url: string | null): number => Number(/report-(\d+)/.exec(url ?? '')?.[1] ?? 0);

/** What a component says of an item that it crawled. */
export function recordOf(item: Item): RecordValue<(typeof transactionCommit)['fields']> {
  return {
    DocID: item.DocID,
    CrawlID: item.CrawlID,
    CrawlType: 1,
    TransactionType: item.TransactionType,
    Scope: 2,
    TransactionFlags: 0,
    CompactURL: item.CompactURL,
    CompactHash: hashOf(numberIn(item.CompactURL)),
    ParentCompactURL: null,
    ParentCompactHash: 0,
    DisplayURL: item.DisplayURL,
    DisplayHash: hashOf(numberIn(item.DisplayURL)),
    LastModifiedTime: 0n,
    EndPathFlag: 0,
    PropMD5: item.DocID,
    MD5: item.DocID,
    HostDepth: 0,
    EnumerationDepth: 1,
    RetryCount: 0,
    DelayRetryCount: 0,
    IndexType: 1,
    SeqID: item.SeqID,
    UseChangeLog: 0,
    ChangeLogBatchID: 0,
    ChangeLogCookie: null,
    ChangeLogCookieType: 0,
    ErrorDesc: null,
    hrResult: 0,
    DocPropsMD5: 0n,
    DocPropsBlob: null,
    TransactionStatus: 90,
    ErrorID: 0,
    ErrorLevel: 0,
    MarkDelete: 0,
    LinksBitmap: 1,
    Title: `Report ${item.DocID}`,
    TitleLCID: 1033,
    SecurityId: null,
    PHFlags: 0,
    UseSecurityInfo: 0,
    ProtocolLength: 7,
    LogLevel: 0,
    ErrorSource: 0,
    RecrawlErrorCount: 10,
    RecrawlErrorInterval: 24,
    ErrorIntervalAllowed: 24,
    ErrorCountAllowed: 10,
    ErrorDeleteCountAllowed: 3,
    ErrorDeleteIntervalAllowed: 24,
    ChangeLogCookieEnd: null,
    ChildSecurityBlob: null,
  };
}
