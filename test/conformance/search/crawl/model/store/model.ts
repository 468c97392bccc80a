import { AnchorModel } from './anchors.ts';

/** A record of the history, as far as the model goes. */
export interface Document {
  readonly id: number;
  readonly url: number;
  crawl: number;
  committed: number;
  isDeleted: boolean;
  errors: number;
  retries: number;
  flags: number;
  level: number;
  usesLog: boolean;
}

/** An item of the queue. */
export interface Item {
  readonly seq: number;
  readonly crawl: number;
  readonly doc: number;
  readonly type: number;
  readonly scope: number;
  readonly flags: number;
  readonly reason: number | null;
  batch: number;
  component: number | null;
}

/** A link of a page, one that a rule excludes, entries of a change log, and the end of the links of a document. */
export type LinkKind = 'page' | 'excluded' | 'changed' | 'deleted' | 'last';

/** A link that waits. */
export interface Link {
  readonly crawl: number;
  readonly url: number;
  readonly kind: LinkKind;
  readonly source: number;
  readonly text: string;
}

/** What a component reports of an item. */
export type Result = 'success' | 'error' | 'retry' | 'delete';

const modify = 2;
const remove = 1;
const deep = 2;
const shallow = 1;
const folder = 4;
const isOfLog = ({ kind }: Link): boolean => kind === 'changed' || kind === 'deleted';

/** A crawl store as the specification describes it (3.1.5.7, .14, .45, .65, .66, .83). */
export class CrawlStoreModel {
  documents: Document[] = [];
  items: Item[] = [];
  links: Link[] = [];
  readonly deletedUrls = new Set<number>();
  readonly components = new Map([
    [0, 1],
    [1, 1],
  ]);
  readonly freeIds = new Set<number>();
  readonly anchors = new AnchorModel();
  readonly #stagesRun = new Set<string>();
  readonly #completed = new Set<number>();
  #nextId = 1;
  #lastSeq = 0;
  #lastBatch = 0;

  bring(link: Link): void {
    this.links.push(link);
  }

  isDisabled(component: number): boolean {
    return this.components.get(component) === 3;
  }

  flush(crawl: number, component: number): { result: number; links: number } {
    if (this.isDisabled(component)) return { result: 0, links: 0 };
    const taken = this.links.filter((link) => link.crawl === crawl);
    this.links = this.links.filter((link) => link.crawl !== crawl);
    const documents = new Map<Link, number | null>();
    const left = this.#flushTogether(taken, crawl, documents);
    for (const link of left) if (link.kind !== 'last') documents.set(link, this.#flushOne(link, crawl));
    const found = taken.filter(({ kind }) => kind === 'page');
    const ended = taken.filter(({ kind }) => kind === 'last').map(({ source }) => source);
    this.anchors.flush(
      crawl,
      found.map((link) => ({ ...link, doc: documents.get(link) ?? null })),
      ended,
    );
    return { result: 1, links: taken.length };
  }

  /** Those that need no look at each other; returns the others. */
  #flushTogether(taken: readonly Link[], crawl: number, documents: Map<Link, number | null>): readonly Link[] {
    const isAlone = ({ url }: Link) => taken.filter((link) => link.url === url && link.kind !== 'last').length === 1;
    return taken.filter((link) => {
      if (link.kind === 'last') return true;
      const known = this.#living(link.url);
      documents.set(link, known?.id ?? null);
      if (known && this.#hasMet(known, link, crawl)) return false;
      if (link.kind !== 'page' || !isAlone(link)) return true;
      const document = known ?? this.#add(link, crawl);
      this.#visit(document, crawl);
      documents.set(link, document.id);
      return false;
    });
  }

  /** A change log may delete what its own crawl has met; anything else is met once a crawl. */
  #hasMet(known: Document, { kind }: Link, crawl: number): boolean {
    return kind === 'deleted' ? known.crawl > crawl : known.crawl >= crawl;
  }

  /** Returns the document of the link. */
  #flushOne(link: Link, crawl: number): number | null {
    const known = this.#living(link.url);
    // What a change log says of a document that waits for its first visit is queued beside that.
    const waits = link.kind === 'changed' && known?.committed === 0;
    if (known && !waits && this.#hasMet(known, link, crawl)) return known.id;
    if (link.kind === 'page' || link.kind === 'changed') {
      const document = known ?? this.#add(link, crawl);
      this.#visit(document, crawl);
      return document.id;
    }
    if (known) this.#queueDeletion(known, crawl, { scope: deep, reason: link.kind === 'excluded' ? 7 : 8 });
    else if (link.kind === 'excluded' && !this.#isBeingExcluded(link.url)) this.deletedUrls.add(link.url);
    return known?.id ?? null;
  }

  /** A stop may leave two records of a URL: the first counts. */
  #living(url: number): Document | undefined {
    return this.#byId().find((document) => document.url === url && !document.isDeleted);
  }

  /** True where an excluded link has queued the deletion of the document of a URL. */
  #isBeingExcluded(url: number): boolean {
    const deleted = this.documents.filter((document) => document.url === url && document.isDeleted);
    return deleted.some(({ id }) => this.items.some(({ doc, reason }) => doc === id && reason === 7));
  }

  #add(link: Link, crawl: number): Document {
    const free = [...this.freeIds].filter((id) => !this.items.some(({ doc }) => doc === id)).sort((a, b) => a - b)[0];
    if (free !== undefined) this.freeIds.delete(free);
    const document = {
      id: free ?? this.#nextId++,
      url: link.url,
      crawl,
      committed: 0,
      isDeleted: false,
      errors: 0,
      retries: 0,
      flags: 0,
      level: 0,
      usesLog: isOfLog(link),
    };
    this.documents.push(document);
    return document;
  }

  #visit(document: Document, crawl: number, flags = 0): void {
    document.crawl = crawl;
    this.#queue({ crawl, doc: document.id, type: modify, scope: deep, flags, reason: null });
  }

  #queueDeletion(document: Document, crawl: number, item: { scope: number; reason: number; flags?: number }): void {
    document.isDeleted = true;
    this.#queue({ crawl, doc: document.id, type: remove, flags: 0, ...item });
  }

  #queue(item: Pick<Item, 'crawl' | 'doc' | 'type' | 'scope' | 'flags' | 'reason'>): void {
    this.items.push({ seq: ++this.#lastSeq, batch: 0, component: null, ...item });
  }

  /** The items of a new batch, or undefined where the component is refused. */
  batch(crawl: number, component: number, size: number): readonly Item[] | undefined {
    if (this.isDisabled(component)) return undefined;
    const batch = ++this.#lastBatch;
    const busy = new Set(this.items.filter((item) => item.batch !== 0).map(({ doc }) => doc));
    const taken = this.items
      .filter((item) => item.crawl === crawl && item.batch === 0 && !busy.has(item.doc))
      .slice(0, size);
    for (const item of taken) Object.assign(item, { batch, component });
    return taken;
  }

  unload(batch: number): void {
    for (const item of this.items) if (item.batch === batch) Object.assign(item, { batch: 0, component: null });
  }

  kill(component: number): void {
    this.components.set(component, 3);
    this.#free(component);
  }

  revive(component: number): void {
    this.components.set(component, 1);
    this.#free(component);
  }

  #free(component: number): void {
    const taken = this.items.filter((item) => item.component === component && item.batch !== 0);
    for (const document of this.documents) if (taken.some(({ doc }) => doc === document.id)) document.retries++;
    for (const item of taken) Object.assign(item, { batch: 0, component: null });
  }

  deleteCrawl(crawl: number): number {
    for (const document of this.#byId()) {
      if (!document.isDeleted)
        this.#queueDeletion(document, crawl, { scope: shallow, reason: 2, flags: document.flags });
    }
    return this.items.filter((item) => item.crawl === crawl).length;
  }

  /** Stage 109: all documents here are files that no folder lists; those of a change log are left to it. */
  incremental(crawl: number): number {
    if (this.#isFirst(crawl, 109)) {
      for (const document of this.#byId()) {
        const isAsked = !document.isDeleted && (document.level === 2 || !document.usesLog);
        if (isAsked) this.#visit(document, crawl, document.flags | folder);
      }
    }
    return this.hasItems(crawl) ? 1 : crawl;
  }

  unvisited(crawl: number): number {
    if (this.#isFirst(crawl, 145)) {
      for (const document of this.#byId()) {
        if (document.isDeleted || document.committed >= crawl) continue;
        this.#queueDeletion(document, crawl, { scope: shallow, reason: 3 });
      }
    }
    return this.hasItems(crawl) ? 1 : crawl;
  }

  /** Stages 109 and 145 act once a crawl. */
  #isFirst(crawl: number, stage: number): boolean {
    const key = `${crawl} ${stage}`;
    const isFirst = !this.#stagesRun.has(key);
    this.#stagesRun.add(key);
    return isFirst;
  }

  /** Stage 115. */
  stop(crawl: number): void {
    const deletions = this.items.filter((item) => item.crawl === crawl && item.type === remove);
    for (const document of this.documents) {
      if (deletions.some(({ doc }) => doc === document.id)) document.isDeleted = false;
    }
    this.items = this.items.filter((item) => item.crawl !== crawl);
    this.links = this.links.filter((link) => link.crawl !== crawl);
    this.anchors.stop(crawl);
    this.#completed.add(crawl);
  }

  /** Stage 149, of a portal crawl or of an anchor crawl. */
  complete(crawl: number, isOfAnchors: boolean): void {
    if (this.#completed.has(crawl)) return;
    this.#completed.add(crawl);
    if (isOfAnchors) this.anchors.end();
    else
      this.anchors.complete(
        crawl,
        this.documents.map((document) => ({ ...document, isIndexed: true })),
      );
  }

  #byId(): Document[] {
    return this.documents.toSorted((one, other) => one.id - other.id);
  }

  hasItems(crawl: number): boolean {
    return this.items.some((item) => item.crawl === crawl);
  }

  isLeft(crawl: number): boolean {
    return this.hasItems(crawl) || this.links.some((link) => link.crawl === crawl);
  }

  /** What a component reports of an item as it was handed out; since then the item may have gone elsewhere. */
  commit(component: number, item: Item, result: Result): void {
    if (this.isDisabled(component)) return;
    if (result === 'retry') {
      this.#retry(item);
      return;
    }
    const isDeletion = item.type === remove;
    const document = this.documents.find(({ id, isDeleted }) => id === item.doc && isDeleted === isDeletion);
    if (document) this.#apply(document, item, result);
    this.#drop(item);
  }

  #retry(item: Item): void {
    const other = this.items.some(
      (one) =>
        one.seq !== item.seq &&
        one.doc === item.doc &&
        one.crawl === item.crawl &&
        one.type === item.type &&
        one.scope === item.scope &&
        one.flags === item.flags,
    );
    const own = other ? undefined : this.items.find(({ seq }) => seq === item.seq);
    if (other) this.#drop(item);
    if (own) Object.assign(own, { batch: 0, component: null });
  }

  #apply(document: Document, item: Item, result: Result): void {
    const { crawl, flags } = item;
    this.deletedUrls.delete(document.url);
    if (item.type === remove) {
      this.deletedUrls.add(document.url);
      this.documents = this.documents.filter((one) => one !== document);
      this.items = this.items.filter((one) => one.doc !== document.id || one.batch !== 0);
      this.freeIds.add(document.id);
      this.anchors.targets.add(crawl, document.id);
      this.anchors.deleted.add(crawl, document.id);
      if (result === 'delete') this.#lastSeq++;
    } else if (result === 'delete') {
      this.#queueDeletion(document, crawl, { scope: deep, reason: 1, flags });
      document.level = 2;
    } else {
      Object.assign(document, { crawl, committed: crawl, retries: 0, level: result === 'error' ? 2 : 0 });
      document.errors = result === 'error' ? document.errors + 1 : 0;
      if (result === 'success') document.flags = flags;
    }
    if (result === 'success') this.anchors.committed.add(crawl, document.id);
  }

  #drop(item: Item): void {
    this.items = this.items.filter(({ seq }) => seq !== item.seq);
  }
}
