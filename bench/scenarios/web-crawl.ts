import { CrawlBench } from '../support/crawl-roles.ts';
import { crawlWithCrawlee } from '../support/crawlee-peer.ts';
import { startSite } from '../support/generated-site.ts';
import type { Bench, Scenario } from '../support/scenario.ts';
import { median, rate } from '../support/statistics.ts';

const pages = 2000;
const concurrency = 32;
/** Each crawls so often, in turn. */
const rounds = 3;

export const webCrawl: Scenario = {
  name: 'web-crawl',
  summary: `A crawl of a generated site of ${pages} pages, ${concurrency} requests at a time, against crawlee's HttpCrawler, which keeps nothing on disk.`,
  async run(bench) {
    const own: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      own.push(await crawlWithGranary(bench));
      await using site = await startSite(pages);
      const { pages: found, milliseconds } = crawlWithCrawlee(site.startAddresses, concurrency);
      theirs.push((site.found * 1000) / milliseconds);
      bench.progress(`Granary ${rate(own.at(-1) ?? 0)}, crawlee ${rate(theirs.at(-1) ?? 0)} (${found} handled)`);
    }
    return [
      {
        what: 'pages a second, everything kept durably, against crawlee in memory',
        figure: rate(median(own)),
        against: rate(median(theirs)),
        value: median(own) / median(theirs),
        unit: 'times',
        demand: { atLeast: 1 },
      },
    ];
  },
};

/** Crawls the site once on a fresh server; returns the pages a second from the request to the end of the crawl. */
async function crawlWithGranary(bench: Bench): Promise<number> {
  await using site = await startSite(pages);
  await using crawl = await CrawlBench.start(bench, site.startAddresses, concurrency);
  const start = performance.now();
  await crawl.crawl();
  const milliseconds = performance.now() - start;
  const documents = await crawl.documents();
  if (documents < site.found) throw new Error(`only ${documents} of ${site.found} pages were crawled`);
  return (site.found * 1000) / milliseconds;
}
