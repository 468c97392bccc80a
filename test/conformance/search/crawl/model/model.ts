/** A record of the history, as far as the model goes. */
export interface Document {
  readonly id: number;
  readonly url: number;
  crawl: number;
  committed: number;
  isDeleted: boolean;
  errors: number;
  retries: number;
}

/** An item of the queue. */
export interface Item {
  readonly seq: number;
  readonly crawl: number;
  readonly doc: number;
  readonly type: number;
  readonly scope: number;
  readonly reason: number | null;
  batch: number;
  component: number | null;
}

/** A link that waits. */
interface Link {
  readonly crawl: number;
  readonly url: number;
  readonly isExcluded: boolean;
}

/** What a component reports of an item. */
export type Result = 'success' | 'error' | 'retry' | 'delete';

const modify = 2;
const remove = 1;
const deep = 2;
const shallow = 1;

/** A crawl store as the specification describes it (3.1.5.7, .14, .45, .65, .66, .83), for full and delete crawls. */
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
  readonly #unvisitedRun = new Set<number>();
  #nextId = 1;
  #lastSeq = 0;
  #lastBatch = 0;

  bring(crawl: number, url: number, isExcluded: boolean): void {
    this.links.push({ crawl, url, isExcluded });
  }

  isDisabled(component: number): boolean {
    return this.components.get(component) === 3;
  }

  flush(crawl: number, component: number): { result: number; links: number } {
    if (this.isDisabled(component)) return { result: 0, links: 0 };
    const taken = this.links.filter((link) => link.crawl === crawl);
    this.links = this.links.filter((link) => link.crawl !== crawl);
    const isAlone = ({ url }: Link) => taken.filter((link) => link.url === url).length === 1;
    const left = taken.filter((link) => {
      const known = this.#living(link.url);
      if (known && known.crawl >= crawl) return false;
      if (link.isExcluded || !isAlone(link)) return true;
      this.#visit(known ?? this.#add(link.url, crawl), crawl);
      return false;
    });
    for (const link of left) this.#flushOne(link, crawl);
    return { result: 1, links: taken.length };
  }

  #flushOne({ url, isExcluded }: Link, crawl: number): void {
    const known = this.#living(url);
    if (known && known.crawl >= crawl) return;
    if (!isExcluded) this.#visit(known ?? this.#add(url, crawl), crawl);
    else if (known) this.#queueDeletion(known, crawl, deep, 7);
    else this.deletedUrls.add(url);
  }

  #living(url: number): Document | undefined {
    return this.documents.find((document) => document.url === url && !document.isDeleted);
  }

  #add(url: number, crawl: number): Document {
    const free = [...this.freeIds].filter((id) => !this.items.some(({ doc }) => doc === id)).sort((a, b) => a - b)[0];
    if (free !== undefined) this.freeIds.delete(free);
    const document = { id: free ?? this.#nextId++, url, crawl, committed: 0, isDeleted: false, errors: 0, retries: 0 };
    this.documents.push(document);
    return document;
  }

  #visit(document: Document, crawl: number): void {
    document.crawl = crawl;
    this.#queue({ crawl, doc: document.id, type: modify, scope: deep, reason: null });
  }

  #queueDeletion(document: Document, crawl: number, scope: number, reason: number): void {
    document.isDeleted = true;
    this.#queue({ crawl, doc: document.id, type: remove, scope, reason });
  }

  #queue(item: Pick<Item, 'crawl' | 'doc' | 'type' | 'scope' | 'reason'>): void {
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
      if (!document.isDeleted) this.#queueDeletion(document, crawl, shallow, 2);
    }
    return this.items.filter((item) => item.crawl === crawl).length;
  }

  unvisited(crawl: number): number {
    if (!this.#unvisitedRun.has(crawl)) {
      this.#unvisitedRun.add(crawl);
      for (const document of this.#byId()) {
        if (document.isDeleted || document.committed >= crawl) continue;
        this.#queueDeletion(document, crawl, shallow, 3);
      }
    }
    return this.hasItems(crawl) ? 1 : crawl;
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
        one.scope === item.scope,
    );
    const own = other ? undefined : this.items.find(({ seq }) => seq === item.seq);
    if (other) this.#drop(item);
    if (own) Object.assign(own, { batch: 0, component: null });
  }

  #apply(document: Document, item: Item, result: Result): void {
    this.deletedUrls.delete(document.url);
    if (item.type === remove) {
      this.deletedUrls.add(document.url);
      this.documents = this.documents.filter((one) => one !== document);
      this.items = this.items.filter((one) => one.doc !== document.id || one.batch !== 0);
      this.freeIds.add(document.id);
      if (result === 'delete') this.#lastSeq++;
    } else if (result === 'delete') this.#queueDeletion(document, item.crawl, deep, 1);
    else {
      document.crawl = item.crawl;
      document.committed = item.crawl;
      document.errors = result === 'error' ? document.errors + 1 : 0;
      document.retries = 0;
    }
  }

  #drop(item: Item): void {
    this.items = this.items.filter(({ seq }) => seq !== item.seq);
  }
}
