import type { Fetcher } from '../../src/workers/crawl/index.ts';
import { everythingAllowed } from '../../src/workers/crawl/rules/robots-txt.ts';

const children = 10;

/** A site without a server: a tree of so many pages, each made when it is asked for. */
export function syntheticFetcher(pages: number): Fetcher {
  return {
    robot: 'Granary',
    robots: async () => everythingAllowed,
    async fetch(url) {
      const page = Number(/\d+$/.exec(url)?.[0] ?? 0);
      const below = Array.from({ length: children }, (_, at) => page * children + at + 1).filter(
        (each) => each < pages,
      );
      const links = below.map((each) => `<a href="/page/${each}">Leads to ${each}</a>`).join('');
      const body = Buffer.from(`<title>Page ${page}</title><p>The text of page ${page}.</p>${links}`);
      const tags = { noIndex: false, noFollow: false };
      return { what: 'content', body, mediaType: 'text/html', charset: 'utf-8', modified: undefined, tags };
    },
    async [Symbol.asyncDispose]() {},
  };
}
