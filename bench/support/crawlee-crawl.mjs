// Runs in the folder that crawlee was installed in: `crawlee-crawl.mjs JSON`; tells how long it took for how many pages.
import { createRequire } from 'node:module';
import process from 'node:process';
import { Parser } from 'htmlparser2';

const { startAddresses, concurrency, crawlee } = JSON.parse(process.argv[2]);
const { HttpCrawler, Configuration, log, LogLevel } = createRequire(crawlee)('@crawlee/http');
log.setLevel(LogLevel.OFF);
const hosts = new Set(startAddresses.map((url) => new URL(url).host));
let pages = 0;

/** The links of a page by the parser that Granary has. */
function linksOf(body, base) {
  const links = new Set();
  const parser = new Parser({
    onopentag(name, { href, rel }) {
      if (name !== 'a' || href === undefined || rel === 'nofollow') return;
      const url = new URL(href, base);
      url.hash = '';
      if (hosts.has(url.host) && !/(\/t){4}/.test(url.pathname)) links.add(url.href);
    },
  });
  parser.end(body);
  return [...links];
}

const crawler = new HttpCrawler(
  {
    minConcurrency: concurrency,
    maxConcurrency: concurrency,
    maxRequestRetries: 2,
    respectRobotsTxtFile: true,
    useSessionPool: false,
    async requestHandler({ request, body, response }) {
      if (request.loadedUrl !== request.url || response.headers['x-robots-tag'] === 'nofollow') return;
      pages++;
      await crawler.addRequests(
        linksOf(body.toString(), request.loadedUrl).map((url) => ({ url })),
        { waitForAllRequestsToBeAdded: true },
      );
    },
  },
  new Configuration({ persistStorage: false, purgeOnStart: true, systemInfoV2: true }),
);
const start = performance.now();
await crawler.run(startAddresses);
process.stdout.write(`${JSON.stringify({ pages, milliseconds: performance.now() - start })}\n`);
