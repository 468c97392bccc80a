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

/** What is kept of a document. */
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

/** What became of an item. */
export interface Outcome {
  readonly item: Item;
  readonly hresult: number;
  /** The error in words. */
  readonly description: string | null;
  /** True where it goes back to the queue for another try. */
  readonly isRetry: boolean;
  /** Whether it can be found (2.2.1.20). */
  readonly indexType: number;
  /** Its flags (2.2.2.3). */
  readonly flags: number;
  readonly memory: Memory;
  readonly contentHash: number;
  readonly propertyHash: number;
  readonly lastModified: bigint;
  /** What was found in it; undefined where the links that are known stay as they are. */
  readonly links?: readonly OutLink[];
  /** What there is to be found; undefined where what is known stays as it is. */
  readonly document?: CrawledDocument;
  /** True where everything that is kept of the document goes. */
  readonly isGone?: true;
}

/** What an item has been all along, for outcomes that say nothing new of it. */
export const unchanged = (item: Item, memory: Memory): Omit<Outcome, 'hresult' | 'description' | 'isRetry'> => ({
  item,
  indexType: item.IndexType ?? 0,
  flags: item.TransactionFlags,
  memory,
  contentHash: item.MD5 ?? 0,
  propertyHash: item.PropMD5 ?? 0,
  lastModified: item.LastModifiedTime ?? 0n,
});
