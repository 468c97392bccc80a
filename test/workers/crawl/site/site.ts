import { mixed, randomFrom } from './random.ts';

/** How a generated site is laid out. */
export interface SiteOptions {
  /** Ordinary pages, over all hosts. */
  readonly pages: number;
  readonly seed?: number;
  /** The beginnings of its URLs, one a host. */
  readonly origins: readonly string[];
}

/** What a server answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly delay?: number;
}

const children = 6;
const randomLinks = 4;
/** Of so many pages there is one of each special kind. */
const rarity = 100;
const words = 'barn grain mill harvest sheaf furrow orchard meadow silo scythe plough acre barley oats rye wheat'.split(
  ' ',
);

/**
 * A site that follows from its seed: a tree of pages on every host with links across, and of a hundred pages one each
 * that redirects, is missing, fails, is slow, fails once, has a twin, is forbidden to robots, or leads into a trap.
 */
export class Site {
  readonly origins: readonly string[];
  readonly #seed: number;
  #pages: number;
  readonly #first: number;
  readonly #versions = new Map<number, number>();
  readonly #gone = new Set<number>();
  readonly #parents = new Map<number, number[]>();
  readonly #seen = new Map<string, number>();

  constructor({ pages, seed = 1, origins }: SiteOptions) {
    this.origins = origins;
    this.#seed = seed;
    this.#pages = pages;
    this.#first = pages;
  }

  get startAddresses(): string[] {
    return this.origins.map((_, host) => this.url(host));
  }

  /** The URL of an ordinary page; the first page of each host is its root. */
  url(page: number): string {
    const origin = this.origins[page % this.origins.length] ?? '';
    return page < this.origins.length ? `${origin}/` : `${origin}/p/${page}.html`;
  }

  /** Every URL that a crawl has to find, and nothing else is to be found. */
  found(): Set<string> {
    const urls = new Set<string>();
    for (let page = 0; page < this.#pages; page++) {
      if (this.#gone.has(page)) continue;
      urls.add(this.url(page));
      for (const special of this.#specials(page)) if (special.isFound) urls.add(this.#origin(page) + special.path);
    }
    return urls;
  }

  #origin(page: number): string {
    return this.origins[page % this.origins.length] ?? '';
  }

  /** Changes the contents of some pages, takes some away and adds some, which changed pages link to; returns their URLs. */
  change({ changed, vanished, appeared }: { changed: number; vanished: number; appeared: number }, seed: number) {
    const random = randomFrom(mixed(this.#seed, seed));
    const picked = new Set<number>();
    const pick = (isFit: (page: number) => boolean): number => {
      for (;;) {
        const page = this.origins.length + Math.floor(random() * (this.#first - this.origins.length));
        if (picked.has(page) || this.#gone.has(page) || this.#specials(page).length > 0 || !isFit(page)) continue;
        picked.add(page);
        return page;
      }
    };
    const changedPages = Array.from({ length: changed }, () => pick(() => true));
    // Those without pages below: what is below would be lost with them.
    const lost = Array.from({ length: vanished }, () => pick((page) => this.#below(page).length === 0));
    for (const page of changedPages) this.#versions.set(page, (this.#versions.get(page) ?? 0) + 1);
    for (const page of lost) this.#gone.add(page);
    const fresh = Array.from({ length: appeared }, (_, at) => {
      const page = this.#pages++;
      const parent = changedPages[at % changedPages.length] ?? 0;
      this.#parents.set(parent, [...(this.#parents.get(parent) ?? []), page]);
      return page;
    });
    const urls = (pages: readonly number[]) => pages.map((page) => this.url(page));
    return { changed: urls(changedPages), vanished: urls(lost), appeared: urls(fresh) };
  }

  #below(page: number): number[] {
    const hosts = this.origins.length;
    const place = Math.floor(page / hosts);
    const own = Array.from({ length: children }, (_, at) => (place * children + at + 1) * hosts + (page % hosts));
    return [...own.filter((each) => each < this.#first), ...(this.#parents.get(page) ?? [])];
  }

  /** The URLs of the links of a page that lead to ordinary pages. */
  linksOf(page: number): number[] {
    const random = randomFrom(mixed(this.#seed, page, 3));
    const across = Array.from({ length: randomLinks }, () => Math.floor(random() * this.#first));
    return [...this.#below(page), ...across];
  }

  #specials(page: number): { readonly path: string; readonly isFound: boolean }[] {
    if (page % rarity !== this.origins.length + (page % this.origins.length)) return [];
    return [
      { path: `/redirect/${page}`, isFound: false },
      { path: `/loop/${page}`, isFound: false },
      { path: `/missing/${page}`, isFound: false },
      { path: `/broken/${page}`, isFound: false },
      { path: `/slow/${page}`, isFound: true },
      { path: `/flaky/${page}`, isFound: true },
      { path: `/twin/${page}`, isFound: true },
      { path: `/twin/${page}?again`, isFound: true },
      { path: `/private/${page}`, isFound: false },
      { path: `/private/open-${page}`, isFound: true },
      { path: `/noindex/${page}`, isFound: false },
      { path: `/nofollow/${page}`, isFound: true },
      ...['/t', '/t/t', '/t/t/t'].map((path) => ({ path: `/trap/${page}${path}`, isFound: true })),
    ];
  }

  /** What the site answers. */
  answer(origin: string, path: string): Answer {
    if (path === '/robots.txt') return { status: 200, body: robots, headers: { 'content-type': 'text/plain' } };
    const host = this.origins.indexOf(origin);
    if (path === '/') return this.#page(host);
    const [, kind = '', of = ''] = /^\/(\w+)\/(?:open-)?(\d+)/.exec(path) ?? [];
    const page = Number(of);
    if (kind === 'p') return this.#page(page);
    return this.#special(kind, page, origin, path);
  }

  #page(page: number): Answer {
    if (page >= this.#pages || this.#gone.has(page)) return { status: 404, body: 'gone' };
    const version = this.#versions.get(page) ?? 0;
    const links = this.linksOf(page).map((each) => `<li><a href="${this.url(each)}">Leads to ${each}</a></li>`);
    const specials = this.#specials(page)
      .filter(({ path }) => !/\/(t\/t|hidden)/.test(path))
      .map(({ path }) => `<li><a href="${path}">Special ${path}</a></li>`);
    const hidden = specials.length > 0 ? `<a rel="nofollow" href="/hidden/${page}">not to be followed</a>` : '';
    const validator =
      page % 3 === 0 ? { 'last-modified': new Date(1e12 + (version * 1000 + page) * 1000).toUTCString() } : {};
    const tag = page % 3 === 1 ? { etag: `"${page}-${version}"` } : {};
    return html(
      `Page ${page} (${version})`,
      `<p>${text(page, version)}</p><ul>${links.join('')}${specials.join('')}</ul>${hidden}`,
      {
        ...validator,
        ...tag,
      },
    );
  }

  #special(kind: string, page: number, origin: string, path: string): Answer {
    const count = (this.#seen.get(origin + path) ?? 0) + 1;
    switch (kind) {
      case 'redirect':
        return { status: 302, headers: { location: this.url(page) } };
      case 'loop':
        return { status: 301, headers: { location: path.endsWith('b') ? path.slice(0, -1) : `${path}b` } };
      case 'broken':
        return { status: 500, body: 'broken' };
      case 'slow':
        return { ...html(`Slow ${page}`, text(page, 0)), delay: 200 };
      case 'flaky':
        this.#seen.set(origin + path, count);
        return count === 1 ? { status: 503, body: 'not now' } : html(`Flaky ${page}`, text(page, 0), { etag: '"f"' });
      case 'twin':
        return html(`Twin ${page}`, text(page, 0), { etag: '"t"' });
      case 'private':
        return html(`Private ${page}`, text(page, 0), { etag: '"v"' });
      case 'noindex':
        return html(`Not to be found ${page}`, '<meta name="robots" content="noindex">', { etag: '"n"' });
      case 'nofollow':
        return html(`Leads nowhere ${page}`, `<a href="/hidden/${page}">hidden</a>`, {
          'x-robots-tag': 'nofollow',
          etag: '"x"',
        });
      case 'trap':
        return html(`Trap ${path}`, `<a href="${path}/t">deeper</a>`, { etag: '"d"' });
      default:
        return { status: 404, body: 'not here' };
    }
  }
}

const robots = 'User-agent: *\nDisallow: /private/\nAllow: /private/open-\nUser-agent: other\nDisallow: /\n';

function html(title: string, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    body: `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`,
  };
}

function text(page: number, version: number): string {
  const random = randomFrom(mixed(page, version));
  return Array.from({ length: 120 }, () => words[Math.floor(random() * words.length)]).join(' ');
}
