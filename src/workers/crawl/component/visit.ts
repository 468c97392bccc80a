import { Turn } from '../../../base/threads/turn.ts';
import { crawlType } from '../../../protocols/search/crawls/crawl-status.ts';
import { flag, transactionType } from '../../../protocols/search/gather/values.ts';
import { CrawlError, excludedByRule, linkTooLong, noIndex, notModified, success } from '../fetch/crawl-error.ts';
import type { Content, Entry, Fetched } from '../fetch/fetched.ts';
import { mediaTypeOf } from '../fetch/media-types.ts';
import { lcidOf } from '../read/lcid.ts';
import type { Reader } from '../read/reader.ts';
import { oneLine, type Reading } from '../read/reading.ts';
import { bothTags } from '../rules/robot-tags.ts';
import { everythingAllowed, type Robots } from '../rules/robots-txt.ts';
import { defaultRules } from '../rules/source-rules.ts';
import { fileTime } from '../store/file-time.ts';
import type { ContentSource } from '../store/source-book.ts';
import { contentSignature, hash32 } from '../url/hash.ts';
import { extensionOf, isTooLong, longestUrl, shownOfUrl, spelledUrl } from '../url/normal-url.ts';
import type { Fetcher } from './fetcher.ts';
import type { HostTurns } from './host-turns.ts';
import type { Item, RunningCrawl } from './item.ts';
import { type Memory, readMemory } from './memory.ts';
import { type CrawledDocument, type Outcome, type OutLink, unchanged } from './outcome.ts';

/** The most consecutive redirects. */
const mostRedirects = 10;

/** How often an item is retried if its server gives a time, unless the rules forbid retries. */
const mostWaits = 10;

/**
 * The most comparisons of links with rules of robots.txt per document; other links are checked when they are visited.
 */
const mostComparisons = 5_000_000;

/** The item has a valid last modified timestamp (2.2.2.3). */
const hasTimestamp = 0x40;

/** What becomes of the links of a document. */
interface Decided {
  readonly links: readonly OutLink[];
  /** In words, the links that should be followed but cannot be; undefined if there are none. */
  readonly leftOut: string | undefined;
}

/** What a visit needs. */
export interface Visiting {
  readonly crawl: RunningCrawl;
  readonly source: ContentSource | undefined;
  readonly fetcher: Fetcher;
  readonly reader: Pick<Reader, 'read'>;
  readonly turns: Pick<HostTurns, 'take' | 'rest'>;
  readonly signal: AbortSignal;
}

/** Visits an item of the queue: fetches it, parses it, and returns its outcome. Rejects only when cancelled. */
export async function visit(item: Item, visiting: Visiting): Promise<Outcome> {
  const memory = memoryOf(item, visiting.crawl);
  if (item.TransactionType === transactionType.delete) {
    // Without links: a Last Link ends the anchors of a document whose identifier the next one gets.
    return { ...unchanged(item, memory), hresult: success, description: null, isRetry: false, isGone: true, links: [] };
  }
  try {
    return await new Visit(item, memory, visiting).run();
  } catch (error) {
    visiting.signal.throwIfAborted();
    if (!(error instanceof CrawlError)) throw error;
    const wait = error.mayPass ? error.retryAfter : undefined;
    if (wait !== undefined) await visiting.turns.rest(item.HostID ?? 0, wait);
    const rule = visiting.source?.rules.retries ?? defaultRules.retries;
    const retries = wait === undefined || rule === 0 ? rule : Math.max(rule, mostWaits);
    return {
      ...unchanged(item, memory),
      flags: item.TransactionFlags & ~flag.folder,
      hresult: error.hresult,
      description: error.message.slice(0, 1024),
      isRetry: error.mayPass && (item.RetryCount ?? 0) < retries,
    };
  }
}

/** The record of an item. The link that led to it contains the number of redirects; an incremental crawl has none. */
function memoryOf({ DocPropsBlob, CachedBlob }: Item, { type }: RunningCrawl): Memory {
  const kept = readMemory(DocPropsBlob);
  return { ...kept, redirects: CachedBlob?.[0] ?? (type === crawlType.incremental ? kept.redirects : undefined) };
}

class Visit {
  readonly #item: Item;
  readonly #url: string;
  readonly #memory: Memory;
  readonly #in: Visiting;
  #robots: Robots = everythingAllowed;

  constructor(item: Item, memory: Memory, visiting: Visiting) {
    this.#item = item;
    this.#url = item.AccessURL ?? '';
    this.#memory = memory;
    this.#in = visiting;
  }

  get #isIncremental(): boolean {
    return this.#in.crawl.type === crawlType.incremental;
  }

  async run(): Promise<Outcome> {
    const { source, fetcher, turns, signal } = this.#in;
    const rules = source?.rules ?? defaultRules;
    // Other clients may queue what this crawler cannot read.
    if (spelledUrl(this.#url) === undefined) throw new CrawlError('badRequest', 'It is no URL of http, https or file.');
    if (source !== undefined && !source.scope.takes(this.#url)) {
      throw new CrawlError('excludedByRule', 'A rule of the content source excludes it.');
    }
    if (rules.robots) this.#robots = await fetcher.robots(this.#url, signal);
    if (!this.#robots.allows(this.#url)) throw new CrawlError('excludedByRule', 'robots.txt of the host excludes it.');
    const isFile = this.#url.startsWith('file:');
    const interval = isFile ? 0 : Math.max(rules.interval, this.#robots.crawlDelay * 1000);
    await turns.take(this.#item.HostID ?? 0, interval, signal);
    const { etag, lastModified } = this.#memory;
    return this.#outcome(await fetcher.fetch(this.#url, this.#isIncremental ? { etag, lastModified } : {}, signal));
  }

  #outcome(fetched: Fetched): Outcome | Promise<Outcome> {
    switch (fetched.what) {
      case 'notModified':
        return this.#notModified();
      case 'redirect':
        return this.#redirect(fetched.to);
      case 'folder':
        return this.#folder(fetched.entries, fetched.modified);
      case 'content':
        return this.#content(fetched);
    }
  }

  #notModified(): Outcome {
    const flags = this.#url.startsWith('file:')
      ? this.#item.TransactionFlags
      : this.#item.TransactionFlags & ~flag.folder;
    const memory = this.#memory;
    return {
      ...unchanged(this.#item, memory),
      flags,
      isRetry: false,
      ...this.#ended(memory.leftOut, memory.noIndex ? noIndex : notModified),
    };
  }

  /** The outcome of a visit without an error: a warning if links were left out. */
  #ended(leftOut: string | undefined, otherwise: number): Pick<Outcome, 'hresult' | 'description'> {
    return leftOut === undefined
      ? { hresult: otherwise, description: null }
      : { hresult: linkTooLong, description: leftOut };
  }

  /** The record of an item that only leads to others: nothing that can be found, even if it was a document before. */
  #way({ links, leftOut }: Decided, flags: number, lastModified: bigint, memory: Memory = {}): Outcome {
    return {
      item: this.#item,
      ...this.#ended(leftOut, success),
      isRetry: false,
      indexType: 0,
      flags,
      memory: { ...memory, leftOut },
      contentHash: 0,
      propertyHash: 0,
      lastModified,
      links,
      ...(this.#memory.signature !== undefined && { isGone: true }),
    };
  }

  async #redirect(to: string): Promise<Outcome> {
    const before = this.#memory.redirects;
    const redirects = (before ?? 0) + 1;
    if (redirects > mostRedirects) throw new CrawlError('tooManyRedirects', `${mostRedirects} redirects led here.`);
    const url = spelledUrl(to);
    const shown = to.slice(0, shownOfUrl);
    if (url === undefined)
      throw new CrawlError('badRequest', `The server redirects to ${shown}, which cannot be crawled.`);
    if (url === this.#url)
      throw new CrawlError('tooManyRedirects', 'It redirects to itself, as for a cookie to be set.');
    const { links, leftOut } = await this.#decided([{ url, text: '' }], true);
    const counted = links.map((link) => ({ ...link, redirects }));
    const way = this.#way({ links: counted, leftOut }, 0, 0n, { redirects: before });
    const isFollowed = links.some(({ refused }) => refused === undefined);
    return isFollowed || leftOut !== undefined
      ? way
      : { ...way, description: `it leads to ${shown}, which is excluded` };
  }

  async #folder(entries: readonly Entry[], modified: number): Promise<Outcome> {
    const byUrl = new Map(entries.map((entry) => [entry.url, entry]));
    const decided = await this.#decided(
      entries.map(({ url, name }) => ({ url, text: name })),
      false,
    );
    const links = decided.links.map((link): OutLink => {
      const entry = byUrl.get(link.url);
      if (entry === undefined || entry.isFolder) return { ...link, flags: flag.folder | flag.processLinks };
      return { ...link, flags: flag.foundByTimestamp, lastModified: fileTime(entry.modified) };
    });
    return this.#way({ ...decided, links }, flag.folder | flag.processLinks, fileTime(modified));
  }

  async #content(content: Content): Promise<Outcome> {
    const { body, etag, lastModified, modified } = content;
    const signature = contentSignature(body);
    if (this.#isIncremental && signature === this.#memory.signature) return this.#notModified();
    const size = body.length;
    const mediaType = mediaTypeOf(content.mediaType, this.#url, body);
    const contentHash = hash32(body);
    const { fetcher, reader } = this.#in;
    const reading = await reader.read({
      url: this.#url,
      mediaType,
      charset: content.charset,
      body,
      robot: fetcher.robot,
    });
    const document = this.#document(reading, { mediaType, size, modified, signature });
    const heedsRobots = this.#in.source?.rules.robots ?? true;
    const tags = heedsRobots ? bothTags(content.tags, reading.tags) : { noIndex: false, noFollow: false };
    const { title, lcid } = document;
    const isFile = this.#url.startsWith('file:');
    const { links, leftOut } = await this.#decided(tags.noFollow ? [] : reading.links, false);
    return {
      item: this.#item,
      ...(tags.noIndex ? { hresult: noIndex, description: null } : this.#ended(leftOut, success)),
      isRetry: false,
      indexType: tags.noIndex ? 0 : 1,
      flags: (modified === undefined ? 0 : hasTimestamp) | (isFile ? flag.foundByTimestamp : 0),
      memory: {
        etag,
        lastModified,
        signature,
        title,
        lcid,
        redirects: this.#memory.redirects,
        ...(tags.noIndex ? { noIndex: true } : { leftOut }),
      },
      contentHash,
      propertyHash: hash32(
        JSON.stringify([title, document.author, document.description, document.keywords, mediaType]),
      ),
      lastModified: fileTime(modified),
      links,
      ...(tags.noIndex ? { isGone: true } : { document }),
    };
  }

  #document(
    reading: Reading,
    facts: Pick<CrawledDocument, 'mediaType' | 'size' | 'modified' | 'signature'>,
  ): CrawledDocument {
    const { title, text, author, description, keywords, language } = reading;
    const name = decodeName(new URL(this.#url).pathname.split('/').at(-1) ?? '');
    const extension = extensionOf(this.#url);
    return {
      ...facts,
      title: title || oneLine(name) || this.#url.slice(0, 1500),
      text,
      author,
      description: description || oneLine(text.slice(0, 400), 300),
      keywords,
      lcid: lcidOf(language),
      extension: extension || (facts.mediaType === 'text/html' ? 'html' : ''),
    };
  }

  /**
   * The links that go to the stores: those to follow, and those of the same host that a rule excludes. Pages may have
   * very many.
   */
  async #decided(
    links: readonly { readonly url: string; readonly text: string }[],
    isRedirect: boolean,
  ): Promise<Decided> {
    const { source } = this.#in;
    if (source === undefined) return { links: [], leftOut: undefined };
    const from = {
      url: this.#url,
      isStartAddress: source.startAddresses.some(({ url }) => url === this.#url),
      hostDepth: this.#item.HostDepth ?? 0,
      enumerationDepth: this.#item.EnumerationDepth ?? 0,
    };
    const origin = this.#url.startsWith('file:') ? '' : new URL(this.#url).origin;
    const found = new Map<string, OutLink>();
    const tooLong = new Set<string>();
    let judged = mostComparisons / Math.max(1, this.#robots.rules);
    const isForbidden = (url: string) => judged-- > 0 && !this.#robots.allows(url);
    const turn = new Turn(this.#in.signal);
    for (const { url, text } of links) {
      if (turn.isOver) await turn.giveWay();
      if (url === this.#url || found.has(`${url} ${text}`)) continue;
      const decision = source.scope.decide(url, from, isRedirect);
      const isHere = origin !== '' && url.startsWith(`${origin}/`);
      if (!decision.follow && !(isHere && decision.because === 'rule')) continue;
      const isAllowed = decision.follow && !(isHere && isForbidden(url));
      if (isTooLong(url)) {
        if (isAllowed) tooLong.add(url);
        continue;
      }
      const depths = decision.follow
        ? decision
        : { hostDepth: from.hostDepth, enumerationDepth: from.enumerationDepth + 1 };
      found.set(`${url} ${text}`, {
        url,
        text,
        hostDepth: depths.hostDepth,
        enumerationDepth: depths.enumerationDepth,
        ...(!isAllowed && { refused: excludedByRule }),
      });
    }
    return { links: [...found.values()], leftOut: leftOutOf([...tooLong]) };
  }
}

function leftOutOf(urls: readonly string[]): string | undefined {
  const [first] = urls;
  if (first === undefined) return undefined;
  const count = urls.length === 1 ? 'A link is' : `${urls.length} links are`;
  return `${count} longer than ${longestUrl} characters and not followed: ${first.slice(0, shownOfUrl)}…`;
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
