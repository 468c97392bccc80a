import { transactionType } from '../values.ts';
import type { Identifiers } from './identifiers.ts';
import type { Known, KnownRecords } from './known.ts';
import type { Link } from './link.ts';

/** A row for the crawl queue; the rest of it is the link's. */
export interface QueueRow {
  readonly link: Link;
  readonly docId: number;
  readonly transactionType: number;
  readonly scope: number;
  readonly deleteReason: number | null;
  /** Fields that come from the known document, not from the link. */
  readonly known?: {
    readonly sourceDocId: number;
    readonly transactionFlags?: number;
    readonly hostDepth?: number;
    readonly enumerationDepth?: number;
  };
}

/** There are not enough document identifiers for the link. */
export class OutOfIdentifiers extends Error {
  readonly link: Link;

  constructor(link: Link) {
    super('out of document identifiers');
    this.link = link;
  }
}

/** What a call will write, link by link; nothing is written before all links are decided. */
export class Plan {
  readonly crawl: number;
  readonly known: KnownRecords;
  readonly #identifiers: Identifiers;
  readonly added: { readonly link: Link; readonly docId: number }[] = [];
  readonly changed = new Set<Known>();
  readonly queue: QueueRow[] = [];
  /** Links whose URLs are added to the Deleted URL set unless they are present. */
  readonly deletedUrls: Link[] = [];
  readonly #documents = new Map<number, number>();

  constructor(crawl: number, known: KnownRecords, identifiers: Identifiers) {
    this.crawl = crawl;
    this.known = known;
    this.#identifiers = identifiers;
  }

  /** Assigns a new document to a link. */
  addDocument(link: Link): Known {
    const docId = this.#identifiers.take();
    if (docId === undefined) throw new OutOfIdentifiers(link);
    const record: Known = {
      docId,
      access: link.access,
      compact: link.compact,
      startAddressId: link.startAddressId,
      contentSourceId: link.contentSourceId,
      crawlId: this.crawl,
      commitCrawlId: 0,
      securityUpdateCrawlId: 0,
      cachedSecurityUpdateCrawlId: 0,
      crawlScope: 0,
      transactionFlags: link.transactionFlags,
      hostDepth: link.hostDepth,
      enumerationDepth: link.enumerationDepth,
      parentDocId: link.sourceDocId,
      parentHostId: link.sourceHostId,
      lastModifiedTime: null,
      errorId: 0,
      errorLevel: 0,
      deletePending: false,
      losesSecurityId: false,
    };
    this.added.push({ link, docId });
    this.known.add(record);
    this.meet(link, record);
    return record;
  }

  /** Changes a record of the history. */
  change(record: Known, changes: Partial<Known>): void {
    Object.assign(record, changes);
    this.changed.add(record);
  }

  /**
   * True if a later crawl, or this one, has met the document: what it deletes by a change log it may have met before;
   * anything else is queued once per crawl.
   */
  hasMet(known: Known, link: Link, type: number): boolean {
    const isLogDeletion = link.changeLogBatchId !== 0 && type === transactionType.delete;
    return isLogDeletion ? known.crawlId > this.crawl : known.crawlId >= this.crawl;
  }

  /** Records the document that a link leads to. */
  meet(link: Link, record: Known | undefined): void {
    if (record) this.#documents.set(link.id, record.docId);
  }

  /** The document of a link, for the anchors. */
  documentOf(link: Link): number | null {
    return this.#documents.get(link.id) ?? null;
  }
}
