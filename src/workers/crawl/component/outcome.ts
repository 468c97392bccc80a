import type { Item } from './item.ts';
import type { Memory } from './memory.ts';

/** A link as it goes to a crawl store. */
export interface OutLink {
  readonly url: string;
  readonly text: string;
  readonly hostDepth: number;
  readonly enumerationDepth: number;
  /** Why it is not followed: an HRESULT. */
  readonly refused?: number;
  /** How many redirects have led here. */
  readonly redirects?: number;
  readonly flags?: number;
  readonly lastModified?: bigint;
}

/** What is stored of a document. */
export interface CrawledDocument {
  readonly title: string;
  readonly text: string;
  readonly author: string;
  readonly description: string;
  readonly keywords: string;
  readonly lcid: number;
  readonly mediaType: string;
  readonly extension: string;
  readonly size: number;
  readonly modified: number | undefined;
  readonly signature: string;
}

/** The outcome of an item. */
export interface Outcome {
  readonly item: Item;
  readonly hresult: number;
  /** The error in words. */
  readonly description: string | null;
  /** True if it returns to the queue for another attempt. */
  readonly isRetry: boolean;
  /** Whether it can be found (2.2.1.20). */
  readonly indexType: number;
  /** Its flags (2.2.2.3). */
  readonly flags: number;
  readonly memory: Memory;
  readonly contentHash: number;
  readonly propertyHash: number;
  readonly lastModified: bigint;
  /** The links found in it; undefined if the known links stay unchanged. */
  readonly links?: readonly OutLink[];
  /** The content to index; undefined if the known content stays unchanged. */
  readonly document?: CrawledDocument;
  /** True if everything stored of the document is deleted. */
  readonly isGone?: true;
}

/** The current values of an item, for outcomes that do not change them. */
export const unchanged = (item: Item, memory: Memory): Omit<Outcome, 'hresult' | 'description' | 'isRetry'> => ({
  item,
  indexType: item.IndexType ?? 0,
  flags: item.TransactionFlags,
  memory,
  contentHash: item.MD5 ?? 0,
  propertyHash: item.PropMD5 ?? 0,
  lastModified: item.LastModifiedTime ?? 0n,
});
