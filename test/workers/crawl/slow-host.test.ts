import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { forEachEngine } from '../../support/engines.ts';
import { CrawlFarm, startCrawlServer } from './crawl-farm.ts';

const slowPages = 150;
const quickPages = 60;

/** Serves pages, and notes how often each was asked for. */
async function startHost(answer: RequestListener) {
  const asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    response.setHeader('content-type', 'text/html');
    if (path === '/robots.txt') response.writeHead(404).end();
    else answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const linksTo = (pages: number): string =>
  Array.from({ length: pages }, (_, page) => `<a href="/${page}">Page ${page}</a>`).join('');

forEachEngine((engine) => {
  for (const interval of [0, 10]) {
    const turns = interval === 0 ? '' : ', with an interval between requests';
    test(`a host that does not answer leaves slots to the items of others, whose pages are all crawled meanwhile, each once${turns}`, async () => {
      const isSlow = Promise.withResolvers<void>();
      const isQuickDone = Promise.withResolvers<void>();
      await using slow = await startHost(async ({ url }, response) => {
        if (url === '/') return void response.end(linksTo(slowPages));
        isSlow.resolve();
        await isQuickDone.promise;
        response.end('<p>slow');
      });
      await using quick = await startHost(async ({ url }, response) => {
        if (url === '/') await isSlow.promise;
        response.end(url === '/' ? linksTo(quickPages) : '<p>quick');
        // The page and robots.txt too.
        if (quick.asked.size === quickPages + 2) isQuickDone.resolve();
      });
      await using server = await startCrawlServer(engine);
      await using farm = await CrawlFarm.on(server, `Slow${interval}`, [1]);
      const source = await farm.addSource(server, 'both', [slow.url, quick.url], { interval });
      await farm.startRoles([0], { concurrency: 8, batchSize: 20 });
      await farm.crawl(source, 'full', { seconds: 50 });
      assert.equal((await farm.found()).size, slowPages + quickPages + 2);
      for (const { asked } of [slow, quick])
        assert.deepEqual(
          [...asked].filter(([, count]) => count !== 1),
          [],
        );
    });
  }
});
