import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { orNull } from '../../../src/procedure/declare.ts';
import { crawlStatus, crawlType, project } from '../../../src/protocols/search/crawls/crawl-status.ts';
import { find } from '../../../src/protocols/search/full-text/find.ts';
import { itemType } from '../../../src/protocols/search/gather/values.ts';
import { removeContentSource } from '../../../src/protocols/search/topology/extensions/remove-content-source.ts';
import { datetime, int } from '../../../src/tds/types/index.ts';
import { failuresOf } from '../../../src/workers/crawl/progress.ts';
import { linkRow, linksTable } from '../../../src/workers/crawl/store/links-table.ts';
import { storeTexts } from '../../../src/workers/crawl/store/store-texts.ts';
import { storyOf } from '../../../src/workers/crawl/url-story.ts';
import { forEachEngine } from '../../support/engines.ts';
import type { TestServer } from '../../support/server.ts';
import { CrawlFarm, startCrawlServer } from './crawl-farm.ts';
import { web } from './web.ts';

/** Where `granary find` finds a word. */
async function placesOf({ properties }: CrawlFarm, Text: string): Promise<string[]> {
  const { sets } = await properties.call(find, { Text });
  return sets.Found.map(({ Url }) => Url).sort();
}

forEachEngine((engine) => {
  let server: TestServer;
  before(async () => {
    server = await startCrawlServer(engine);
  });
  after(() => server[Symbol.asyncDispose]());

  test('a page that redirects now is not found any more; one that fails now is found as it was, and told so', async () => {
    let isChanged = false;
    using site = await web(({ url = '' }, response) => {
      if (url === '/robots.txt') return void response.writeHead(404).end();
      if (isChanged && url === '/moved') return void response.writeHead(301, { location: '/target' }).end();
      if (isChanged && url === '/failing') return void response.writeHead(500).end();
      const links = url === '/' ? '<a href=moved>1</a> <a href=failing>2</a>' : 'grain';
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${url}</title>${links}`);
    });
    await using farm = await CrawlFarm.on(server, 'Moved', [1]);
    const source = await farm.addSource(server, 'site', [site.url], {});
    await farm.startRoles([0], { texts: storeTexts });
    await farm.crawl(source, 'full');
    const at = (...names: readonly string[]) => names.map((name) => site.url + name);
    assert.deepEqual(await placesOf(farm, 'grain'), at('failing', 'moved'));
    isChanged = true;
    await farm.crawl(source, 'incremental');
    assert.deepEqual(await placesOf(farm, 'grain'), at('failing', 'target'));
    const stories = at('failing', 'moved', 'target').map((url) => storyOf(farm.admin, url));
    const told = (await Promise.all(stories)).flat().map(({ isFound, error }) => [isFound, error?.cause]);
    assert.deepEqual(told, [
      [true, 'server error'],
      [false, undefined],
      [true, undefined],
    ]);
  });

  test('MS-SQLPGAT2 3.2.5.3: what was crawled of a content source goes when the source is removed', async () => {
    using site = await web((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<a href=x>barley</a>'),
    );
    await using farm = await CrawlFarm.on(server, 'Removed', [1]);
    const source = await farm.addSource(server, 'site', [site.url], {});
    await farm.startRoles([0], { texts: storeTexts });
    const full = await farm.crawl(source, 'full');
    assert.deepEqual(await placesOf(farm, 'barley'), [site.url, `${site.url}x`]);
    await farm.admin.call(removeContentSource, { Name: 'site' });
    const select = `select max(CrawlID) as id from CrawlStatus where CrawlType = ${crawlType.delete}`;
    const [deleting] = await farm.admin.select({ id: orNull(int) }, select);
    assert.ok((deleting?.id ?? 0) > full, 'a delete crawl is requested');
    await farm.untilOver(full);
    assert.deepEqual(await farm.history(), []);
    assert.deepEqual(await placesOf(farm, 'barley'), []);
  });

  test('MS-SQLPGAT2 3.2.5.3: the crawl of a content source that is removed stops before its documents are deleted', async () => {
    const asked = Promise.withResolvers<void>();
    const links = Array.from({ length: 40 }, (_, at) => `<a href=${at}></a>`).join('');
    using site = await web(({ url = '' }, response) => {
      response.setHeader('content-type', 'text/html');
      if (url === '/slow') asked.resolve();
      else if (url === '/') response.end(`<a href=slow></a>${links}`);
      else response.end('oats');
    });
    await using farm = await CrawlFarm.on(server, 'Crawled', [1]);
    const source = await farm.addSource(server, 'site', [site.url], {});
    await farm.startRoles([0], { texts: storeTexts });
    const full = await farm.administration.start(source, 'full');
    await asked.promise;
    await farm.admin.call(removeContentSource, { Name: 'site' });
    await farm.untilOver(full, 60);
    const crawls = await farm.admin.select(
      { type: int, status: int, started: orNull(datetime), ended: orNull(datetime) },
      `select CrawlType as type, Status as status, StartTime as started, EndTime as ended
       from CrawlStatus where ProjectID = ${project.portalContent} order by CrawlID`,
    );
    assert.deepEqual(
      crawls.map(({ type, status }) => [type, status]),
      [
        [crawlType.full, crawlStatus.stopped],
        [crawlType.delete, crawlStatus.done],
      ],
    );
    const [stopped, deleting] = crawls;
    assert.ok((stopped?.ended ?? Infinity) <= (deleting?.started ?? 0), 'it is over before the delete crawl begins');
    assert.deepEqual(await farm.history(), []);
    assert.deepEqual(await placesOf(farm, 'oats'), []);
  });

  test('MS-SQLPGAT2 2.2.1.11: a redirect to the page itself or to no URL is an error; one out of the rules is told', async () => {
    using site = await web(({ url = '' }, response) => {
      const targets: Record<string, string> = {
        '/cookie': '/cookie',
        '/mail': 'mailto:somebody@example.com',
        '/away': 'http://other.invalid/x',
        '/closed': '/private',
        '/way': '/page',
      };
      const to = targets[url];
      if (url === '/robots.txt') return void response.end('User-agent: *\nDisallow: /private');
      if (to !== undefined) return void response.writeHead(302, { location: to, 'set-cookie': 'seen=1' }).end();
      const links = Object.keys(targets).map((each) => `<a href=${each}></a>`);
      response.writeHead(200, { 'content-type': 'text/html' }).end(url === '/' ? links.join('') : '');
    });
    await using farm = await CrawlFarm.on(server, 'Redirects', [1]);
    const source = await farm.addSource(server, 'site', [site.url], {});
    await farm.startRoles([0]);
    await farm.crawl(source, 'full');
    const told = ['cookie', 'mail', 'away', 'closed', 'way'].map(async (name) => {
      const [known] = await storyOf(farm.admin, site.url + name);
      return [known?.error?.cause, known?.because];
    });
    assert.deepEqual(await Promise.all(told), [
      ['too many redirects', undefined],
      ['bad request', undefined],
      [undefined, 'it leads to http://other.invalid/x, which is excluded'],
      [undefined, `it leads to ${site.url}private, which is excluded`],
      [undefined, 'it only leads elsewhere'],
    ]);
    const ofCause = await failuresOf(farm.admin, source, 10, { cause: 'bad request' });
    assert.deepEqual(
      ofCause.map(({ url, cause }) => [url, cause]),
      [[`${site.url}mail`, 'bad request']],
    );
  });

  test('MS-SQLPGAT2 3.2.5: an item that another client has queued and that is no URL to crawl costs itself alone', async () => {
    const hold = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    using site = await web(({ url = '' }, response) => {
      response.setHeader('content-type', 'text/html');
      if (url === '/') return void response.end('<a href=slow>slow</a>');
      if (url !== '/slow') return void response.writeHead(404).end();
      asked.resolve();
      void hold.promise.then(() => response.end('<title>slow</title>'));
    });
    await using farm = await CrawlFarm.on(server, 'Odd', [1]);
    const source = await farm.addSource(server, 'site', [site.url], { deleteShare: 100, errorCount: 0, errorHours: 0 });
    await farm.startRoles([0]);
    const id = await farm.administration.start(source, 'full');
    await asked.promise;
    const odd = ['', 'no URL', 'http://[', 'sts4://site/list', 'javascript:0'];
    const common = { CrawlID: id, CrawlType: crawlType.full, ContentSourceID: source, Host: 'x', HostID: 1 };
    const links = odd.map((AccessURL) => linkRow({ ...common, AccessURL, ItemType: itemType.link }));
    await farm.stores[0]?.bulkLoad(linksTable, links);
    hold.resolve();
    await farm.untilOver(id);
    const failures = await failuresOf(farm.admin, source, 10);
    assert.deepEqual(
      failures.map(({ url, cause }) => [url, cause]),
      odd.map((url) => [url, 'bad request']),
    );
    assert.deepEqual(await farm.found(), new Set([site.url, `${site.url}slow`]));
    await farm.crawl(source, 'delete');
    assert.deepEqual(await farm.history(), [], 'and is deleted like any other');
  });
});
