/** A record of the Anchor Text Info set; the target is NULL or -1 where it leads nowhere. */
export interface Anchor {
  readonly source: number;
  readonly url: number;
  text: string;
  target: number | null;
  crawl: number;
}

/** What an anchor is found by: its place in its document, which is the page that it leads to here. */
interface FoundLink {
  readonly source: number;
  readonly url: number;
  readonly text: string;
  /** The document that it leads to. */
  readonly doc: number | null;
}

/** A document as stage 149 looks for targets. */
interface Target {
  readonly id: number;
  readonly url: number;
  readonly isDeleted: boolean;
  readonly crawl: number;
  readonly committed: number;
  readonly isIndexed: boolean;
}

const isReal = (target: number | null): target is number => target !== null && target !== -1;

const isOfOneLink = (one: Anchor, other: Anchor): boolean =>
  one.source === other.source && one.url === other.url && one.text === other.text;

/** A set of documents of crawls. */
class Noted {
  readonly #pairs = new Map<string, readonly [crawl: number, doc: number]>();

  add(crawl: number, doc: number): void {
    this.#pairs.set(`${crawl} ${doc}`, [crawl, doc]);
  }

  of(crawl: number): readonly number[] {
    return [...this.#pairs.values()].filter(([one]) => one === crawl).map(([, doc]) => doc);
  }

  forget(crawl: number): void {
    for (const [key, [one]] of this.#pairs) if (one === crawl) this.#pairs.delete(key);
  }

  clear(): void {
    this.#pairs.clear();
  }

  all(): number[][] {
    return [...this.#pairs.values()].map((pair) => [...pair]).toSorted((one, other) => byNumbers(one, other));
  }
}

/** Orders lists of numbers by their first difference. */
export function byNumbers(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

/** The anchors of a crawl store and what has changed of them (3.1.1.8, 3.1.1.14, 3.1.1.15, 3.1.1.20 to 3.1.1.23). */
export class AnchorModel {
  anchors: Anchor[] = [];
  readonly targets = new Noted();
  readonly sources = new Noted();
  readonly committed = new Noted();
  readonly deleted = new Noted();
  readonly pending = new Noted();
  readonly changes = new Map<string, readonly [crawl: number, doc: number, type: number]>();

  /** The second stage of proc_MSS_FlushTemp0: what its links say of the documents that they were found in. */
  flush(crawl: number, links: readonly FoundLink[], ended: readonly number[]): void {
    const matches = ({ source, url }: FoundLink) => this.anchors.filter((a) => a.source === source && a.url === url);
    const found = links.map((link) => ({ link, anchors: matches(link) }));
    const same = found.filter(({ link, anchors }) => anchors.some(({ text }) => text === link.text));
    const asBefore = same.map(({ link, anchors }) => anchors.filter(({ text }) => text === link.text));
    const changed = found.filter((one) => !same.includes(one) && one.anchors.length > 0);
    for (const anchor of asBefore.flat()) anchor.crawl = crawl;
    for (const { link, anchors } of changed) {
      for (const anchor of anchors) {
        Object.assign(anchor, { crawl, text: link.text });
        if (isReal(anchor.target)) this.targets.add(crawl, anchor.target);
      }
      this.sources.add(crawl, link.source);
    }
    for (const { link, anchors } of found) {
      if (anchors.length > 0) continue;
      const { source, url, text, doc: target } = link;
      this.anchors.push({ source, url, text, target, crawl });
      if (isReal(target)) this.targets.add(crawl, target);
      this.sources.add(crawl, source);
    }
    const isLost = (anchor: Anchor) => anchor.crawl < crawl && ended.includes(anchor.source);
    for (const { target } of this.anchors.filter(isLost)) if (isReal(target)) this.targets.add(crawl, target);
    this.anchors = this.anchors.filter((anchor) => !isLost(anchor));
  }

  /** Stage 149 of a portal crawl. */
  complete(crawl: number, documents: readonly Target[]): void {
    const deleted = this.deleted.of(crawl);
    for (const anchor of this.anchors) {
      // A document that has the identifier of a deleted one keeps what it has found, and what leads to its URL.
      const source = documents.find(({ id }) => id === anchor.source);
      const target = documents.find(({ id, isDeleted }) => id === anchor.target && !isDeleted);
      const hasLostSource =
        deleted.includes(anchor.source) && anchor.crawl !== source?.crawl && anchor.crawl !== source?.committed;
      const hasLostTarget = isReal(anchor.target) && deleted.includes(anchor.target) && anchor.url !== target?.url;
      if (!hasLostSource && !hasLostTarget) continue;
      if (isReal(anchor.target)) this.targets.add(crawl, anchor.target);
      anchor.target = -1;
    }
    this.#link(crawl, documents, ({ source }) => this.sources.of(crawl).includes(source));
    const committed = documents.filter(({ id, isIndexed }) => isIndexed && this.committed.of(crawl).includes(id));
    this.#link(crawl, committed, () => true);
    this.#spread(crawl);
    for (const doc of this.targets.of(crawl)) this.pending.add(crawl, doc);
  }

  /** Anchors of one link find one document each, and none that the link leads to already. */
  #link(crawl: number, documents: readonly Target[], which: (anchor: Anchor) => boolean): void {
    const waiting = this.anchors.filter((anchor) => !isReal(anchor.target) && which(anchor));
    const found = waiting.map((anchor) => {
      const ledTo = this.anchors.filter((a) => a.source === anchor.source && a.url === anchor.url).map((a) => a.target);
      const documentsOf = documents
        .filter((one) => one.url === anchor.url && !one.isDeleted && one.crawl === one.committed)
        .filter(({ id }) => !ledTo.includes(id))
        .toSorted((one, other) => one.id - other.id);
      return documentsOf[waiting.filter((a) => isOfOneLink(a, anchor)).indexOf(anchor)];
    });
    for (const [at, anchor] of waiting.entries()) {
      const document = found[at];
      if (document === undefined) continue;
      Object.assign(anchor, { target: document.id, crawl });
      this.targets.add(crawl, document.id);
    }
  }

  /** Anchors of one URL with several targets lead to all of them. */
  #spread(crawl: number): void {
    const before = this.anchors.filter(({ target }) => isReal(target));
    for (const anchor of before) {
      const targets = new Set(before.filter(({ url }) => url === anchor.url).map((a) => a.target));
      for (const target of targets) {
        const isThere = before.some((a) => a.source === anchor.source && a.url === anchor.url && a.target === target);
        const isAdded = this.anchors.some((a) => isOfOneLink(a, anchor) && a.target === target);
        if (isThere || isAdded || !isReal(target)) continue;
        this.anchors.push({ ...anchor, target });
        this.targets.add(crawl, target);
      }
    }
  }

  /** Stage 170 of an incremental anchor crawl. */
  begin(crawl: number): void {
    for (const doc of this.pending.of(crawl)) {
      const type = this.anchors.some(({ target }) => target === doc) ? 2 : 1;
      this.changes.set(`${crawl} ${doc}`, [crawl, doc, type]);
    }
  }

  /** Stage 149 of an anchor crawl. */
  end(): void {
    for (const set of [this.targets, this.sources, this.committed, this.deleted, this.pending, this.changes])
      set.clear();
  }

  /** Stage 115. */
  stop(crawl: number): void {
    for (const set of [this.targets, this.sources, this.committed, this.deleted]) set.forget(crawl);
  }
}
