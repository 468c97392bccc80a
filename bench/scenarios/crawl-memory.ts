import { CrawlBench } from '../support/crawl-roles.ts';
import { urlsOf } from '../support/pace.ts';
import type { Finding, Scenario } from '../support/scenario.ts';
import { count, mean, megabytes } from '../support/statistics.ts';
import { syntheticFetcher } from '../support/synthetic-fetcher.ts';

const urls = urlsOf(1_000_000);

interface Look {
  readonly crawler: number;
  readonly server: number;
}

export const crawlMemory: Scenario = {
  name: 'crawl-memory',
  summary: `A crawl of ${count(urls)} URLs from a synthetic fetcher: the memory of the crawler and of the server.`,
  isLarge: true,
  async run(bench) {
    await using crawl = await CrawlBench.start(bench, ['http://127.0.0.1:9/page/0'], 32, syntheticFetcher(urls));
    const looks: Look[] = [];
    await crawl.crawl((documents) => {
      looks.push({ crawler: process.memoryUsage().rss, server: crawl.server.memory() });
      if (looks.length % 20 === 0) {
        const { crawler, server } = looks.at(-1) ?? { crawler: 0, server: 0 };
        bench.progress(`${count(documents)} documents, crawler ${megabytes(crawler)}, server ${megabytes(server)}`);
      }
    });
    const crawled = await crawl.documents();
    if (crawled < urls) throw new Error(`only ${crawled} of ${urls} were crawled`);
    return [finding('crawler', looks), finding('server', looks)];
  },
};

/** The last tenth against the second: the first fills caches. */
function finding(what: keyof Look, looks: readonly Look[]): Finding {
  const tenth = Math.max(1, Math.floor(looks.length / 10));
  const of = (some: readonly Look[]) => mean(some.map((look) => look[what]));
  const [before, after] = [of(looks.slice(tenth, 2 * tenth)), of(looks.slice(-tenth))];
  return {
    what: `memory of the ${what} at the end of ${count(urls)} URLs, against that at a tenth of them`,
    figure: megabytes(after),
    against: megabytes(before),
    value: after / before,
    unit: 'times',
    demand: { atMost: 1.5 },
  };
}
