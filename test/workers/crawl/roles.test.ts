import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { silentLog } from '../../../src/base/log/log.ts';
import { ClientError } from '../../../src/client/client-error.ts';
import { crawlStatus } from '../../../src/protocols/search/crawls/crawl-status.ts';
import { updateCrawlStatistics } from '../../../src/protocols/search/crawls/update-crawl-statistics.ts';
import { mergeTexts } from '../../../src/protocols/search/full-text/merge-texts.ts';
import { documentsJson, putDocumentTexts } from '../../../src/protocols/search/full-text/put-document-texts.ts';
import { takeHostTurns } from '../../../src/protocols/search/gather/take-host-turns.ts';
import { getCompiledScopes } from '../../../src/protocols/search/scopes/get-compiled-scopes.ts';
import { componentState } from '../../../src/protocols/search/topology/component-state.ts';
import { addScope } from '../../../src/protocols/search/topology/extensions/add-scope.ts';
import { int } from '../../../src/tds/types/index.ts';
import type { Fetcher } from '../../../src/workers/crawl/component/fetcher.ts';
import {
  IndexMerger,
  pauseLevel,
  pauseReason,
  ScopeCompiler,
  StatusRequests,
} from '../../../src/workers/crawl/index.ts';
import { failuresOf } from '../../../src/workers/crawl/progress.ts';
import { everythingAllowed } from '../../../src/workers/crawl/rules/robots-txt.ts';
import { adminStage } from '../../../src/workers/crawl/store/stages.ts';
import { forEngineOfRun } from '../../support/long-run.ts';
import type { TestServer } from '../../support/server.ts';
import { CrawlFarm, startCrawlServer } from './crawl-farm.ts';
import { SiteServer } from './site/site-server.ts';
import { usualOptions } from './usual-options.ts';
import { web } from './web.ts';

async function until(what: () => Promise<boolean>, seconds = 120): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await what())) {
    assert.ok(Date.now() < end, 'it does not come to that');
    await delay(30);
  }
}

/** The application that asks something of all components. */
const requests = ({ admin }: CrawlFarm) =>
  new StatusRequests(admin, { interval: 20, signal: AbortSignal.timeout(120_000) });

/** MS-SQLPGAT2 3.2.5.5: asks all components to pause, sees that nothing is fetched meanwhile, and lets them go on. */
async function everybodyPauses(farm: CrawlFarm, asked: () => number): Promise<void> {
  const application = requests(farm);
  for (const reason of [pauseReason.backup, pauseReason.refactoring])
    await application.pause(pauseLevel.crawls, reason);
  await application.resume(pauseLevel.crawls, pauseReason.backup);
  assert.equal(await application.reasons(), pauseReason.refactoring);
  const before = asked();
  await delay(300);
  assert.equal(asked(), before, 'nothing is fetched while all are paused');
  await application.resume(pauseLevel.crawls, pauseReason.refactoring);
  assert.equal(await application.reasons(), 0);
  await until(async () => asked() > before);
}

/** Lets the component end when it has committed documents, or deletions, for the first time, before that is counted. */
function loseFirstCounts(t: TestContext, { admin }: CrawlFarm): void {
  const call = admin.call.bind(admin);
  const lost = new Set<string>();
  t.mock.method(admin, 'call', (...given: Parameters<typeof call>) => {
    const [{ name }, input] = given;
    const what = 'DeleteCount' in input && Number(input['DeleteCount']) > 0 ? 'deletions' : 'documents';
    if (name !== updateCrawlStatistics.name || lost.has(what)) return call(...given);
    lost.add(what);
    throw new ClientError('lost', 'lost on purpose');
  });
}

/** Lets the component be taken for dead when it is ready and has yet to say that it is alive; true when it was. */
function disableBeforeFirstReport(t: TestContext, { admin }: CrawlFarm): () => boolean {
  const call = admin.call.bind(admin);
  let isDone = false;
  t.mock.method(admin, 'call', async (...given: Parameters<typeof call>) => {
    if ('CrawlStage' in given[1] && given[1]['CrawlStage'] === 95 && !isDone) {
      isDone = true;
      await adminStage(admin, 162, { MiscInputData: 0 });
    }
    return call(...given);
  });
  return () => isDone;
}

forEngineOfRun((engine) => {
  let server: TestServer;
  before(async () => {
    server = await startCrawlServer(engine);
  });
  after(() => server[Symbol.asyncDispose]());

  test('a crawl that would delete more than the share of its source shows it and waits, until it is forced or stopped', async (t) => {
    let isDown = false;
    using site = await web(({ url = '' }, response) => {
      if (url === '/robots.txt') return void response.writeHead(404).end();
      if (isDown && url !== '/') return void response.writeHead(404).end();
      const links = isDown ? '' : [1, 2, 3, 4].map((n) => `<a href="/${n}">page ${n}</a>`).join('');
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${url}</title>${links}`);
    });
    await using farm = await CrawlFarm.on(server, 'Guard', [1]);
    const source = await farm.addSource(server, 'site', [site.url], {});
    loseFirstCounts(t, farm);
    await farm.startRoles([0]);
    await farm.crawl(source, 'full');
    assert.equal((await farm.found()).size, 5);
    const [counted] = await farm.admin.select({ n: int }, 'select sum(SuccessCount) as n from CrawlComponentStatus');
    assert.equal(counted?.n, 5, 'what was committed is counted, though a component ended between the two');
    isDown = true;
    const stopped = await farm.administration.start(source, 'full');
    await until(async () => (await farm.administration.unvisited(stopped))?.isHeld === true);
    const unvisited = await farm.administration.unvisited(stopped);
    assert.deepEqual([unvisited?.documents, unvisited?.unvisited, unvisited?.urls.length], [5, 4, 4]);
    await delay(300);
    assert.equal((await farm.administration.state(stopped))?.status, crawlStatus.started);
    await farm.administration.stop(source);
    await farm.untilOver(stopped);
    assert.equal((await farm.administration.state(stopped))?.status, crawlStatus.stopped);
    assert.equal((await farm.found()).size, 5, 'a crawl that was stopped deletes nothing');
    const forced = await farm.crawl(source, 'full', { force: true });
    assert.deepEqual([...(await farm.found())], [site.url]);
    const [deletions] = await farm.admin.select(
      { n: int },
      'select sum(DeleteCount) as n from CrawlComponentStatus where CrawlID = @forced',
      { forced },
    );
    assert.equal(deletions?.n, 4, 'what was deleted is counted, though a component ended between the two');
  });

  test('roles that have nothing to do wait in one call for all of them, and go on when a crawl is asked for; one that is taken for dead as it starts comes back', async (t) => {
    using site = await web(({ url = '' }, response) => {
      if (url === '/robots.txt') return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>One page</title>');
    });
    await using farm = await CrawlFarm.on(server, 'Idle', [2]);
    const source = await farm.addSource(server, 'site', [site.url], {});
    const wasDisabled = disableBeforeFirstReport(t, farm);
    await farm.startRoles([0, 1]);
    await until(async () => server.granary.waitingCalls === 1 && wasDisabled());
    t.mock.restoreAll();
    const states = async () => farm.admin.select({ state: int }, 'select State as state from CrawlComponents');
    await until(async () => (await states()).every(({ state }) => state === componentState.ready), 20);
    const calls = t.mock.method(farm.admin, 'call');
    await delay(1000);
    // Looks for silent components, twice a second here, and reports of being alive.
    assert.ok(calls.mock.callCount() < 50, `${calls.mock.callCount()} calls a second`);
    assert.equal(server.granary.waitingCalls, 1);
    await farm.crawl(source, 'full');
    assert.equal((await farm.found()).size, 1);
  });

  test('MS-SQLPGAT2 3.1.5.8, 3.2.5.5: a crawl pauses, alone or with all others, goes on where it was, and is stopped in the midst', async () => {
    await using site = await SiteServer.start({ pages: 200 });
    await using farm = await CrawlFarm.on(server, 'Pause', [1, 1]);
    const source = await farm.addSource(server, 'site', site.site.startAddresses, {});
    await farm.startRoles([0, 1], { statusInterval: 20 });
    const crawl = await farm.administration.start(source, 'full');
    const isAt = async (status: number) => (await farm.administration.state(crawl))?.status === status;
    await until(async () => site.asked.size > 20);
    await farm.administration.pause(source);
    await until(() => isAt(crawlStatus.paused));
    const asked = site.asked.size;
    await delay(300);
    assert.equal(site.asked.size, asked, 'nothing is fetched while it is paused');
    await farm.administration.resume(source);
    await farm.untilOver(crawl);
    assert.ok(await isAt(crawlStatus.done));
    assert.deepEqual((await farm.found()).size, site.site.found().size);
    for (const [url, { count }] of site.asked)
      assert.ok(count <= (/broken|flaky/.test(url) ? 3 : 1), `${url}: ${count}`);
    const second = await farm.administration.start(source, 'full');
    site.asked.clear();
    await until(async () => site.asked.size > 20);
    await everybodyPauses(farm, () => site.asked.size);
    await farm.administration.stop(source);
    await farm.untilOver(second);
    assert.equal((await farm.administration.state(second))?.status, crawlStatus.stopped);
    assert.equal((await farm.found()).size, site.site.found().size);
  });

  test('MS-SQLPGAT2 3.1.5.14, 3.1.5.7: a tree of files is crawled by its folders, and again only where their times tell so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'granary-tree-'));
    try {
      await mkdir(join(folder, 'sub'));
      for (const name of ['a.txt', 'b.html', 'sub/c.txt']) await writeFile(join(folder, name), `text of ${name}`);
      await using farm = await CrawlFarm.on(server, 'Files', [1]);
      const root = pathToFileURL(`${folder}/`).href;
      const source = await farm.addSource(server, 'files', [root], { deleteShare: 100 });
      await farm.startRoles([0]);
      await farm.crawl(source, 'full');
      const urls = (...names: string[]) => new Set(names.map((name) => root + name));
      assert.deepEqual(await farm.found(), urls('a.txt', 'b.html', 'sub/c.txt'));
      await writeFile(join(folder, 'a.txt'), 'other text');
      await utimes(join(folder, 'a.txt'), new Date(), new Date(Date.now() + 5000));
      await writeFile(join(folder, 'sub/d.txt'), 'new');
      await rm(join(folder, 'b.html'));
      const crawl = await farm.crawl(source, 'incremental');
      assert.deepEqual(await farm.found(), urls('a.txt', 'sub/c.txt', 'sub/d.txt'));
      const [counted] = await farm.admin.select(
        { ok: int, deleted: int },
        `select sum(SuccessCount) as ok, sum(DeleteCount) as deleted from CrawlComponentStatus where CrawlID = @crawl`,
        { crawl },
      );
      assert.deepEqual(counted, { ok: 4, deleted: 1 }, 'two folders and two files were visited');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('what robots.txt or a new rule excludes is not kept, and a stop does not wait for slow servers', async () => {
    let isForbidden = false;
    using site = await web(({ url = '' }, response) => {
      if (url === '/robots.txt') return void response.end(isForbidden ? 'User-agent: *\nDisallow: /a' : '');
      if (url === '/slow') return;
      const links = ['a', 'b', 'c', ...(isForbidden ? ['slow'] : [])].map((name) => `<a href="/${name}">page</a>`);
      response.writeHead(203, { 'content-type': 'text/html' }).end(`<title>${url}</title>${links.join('')}`);
    });
    await using farm = await CrawlFarm.on(server, 'Excluded', [1]);
    const source = await farm.addSource(server, 'site', [site.url], { deleteShare: 100 });
    await farm.startRoles([0]);
    await farm.crawl(source, 'full');
    assert.equal((await farm.found()).size, 4);
    isForbidden = true;
    await farm.stopRoles();
    await farm.startRoles([0], { http: { ...usualOptions.http, timeout: 600_000 } });
    await farm.administration.setRules(source, { interval: 0, exclude: ['*/b'], deleteShare: 100 });
    await farm.administration.start(source, 'incremental');
    await until(async () => (await farm.found()).size === 2);
    assert.deepEqual(await farm.found(), new Set([site.url, `${site.url}c`]));
    await delay(300);
    const start = performance.now();
    await farm.stopRoles();
    assert.ok(performance.now() - start < 300_000, 'it gives the slow page back');
  });

  test('a document that a database does not take costs that document alone', async () => {
    const site = 'http://127.0.0.1:9/';
    const fetcher: Fetcher = {
      robot: 'Granary',
      robots: async () => everythingAllowed,
      async fetch(url) {
        const links = url === site ? ['a', 'bad', 'b'].map((name) => `<a href="/${name}">page</a>`).join('') : '';
        const mediaType = url.endsWith('bad') ? 'image/\0' : 'text/html';
        const tags = { noIndex: false, noFollow: false };
        const body = Buffer.from(`<title>with a \0 in it</title>\0${links}`);
        return { what: 'content', body, mediaType, charset: 'utf-8', modified: undefined, tags };
      },
      async [Symbol.asyncDispose]() {},
    };
    await using farm = await CrawlFarm.on(server, 'NotTaken', [1]);
    const source = await farm.addSource(server, 'site', [site], {});
    await farm.startRoles([0], { fetcher });
    await farm.crawl(source, 'full');
    assert.deepEqual(await farm.found(), new Set(['', 'a', 'b'].map((name) => site + name)));
    const [failure] = await failuresOf(farm.admin, source, 10);
    assert.deepEqual([failure?.url, failure?.cause], [`${site}bad`, 'unreadable']);
    assert.match(failure?.description ?? '', /refuses it: .*U\+0000/);
  });

  test('all components together ask a host no more often than its interval allows', async () => {
    const times: number[] = [];
    using site = await web(({ url = '' }, response) => {
      if (url === '/robots.txt') return void response.writeHead(404).end();
      times.push(performance.now());
      const links = Array.from({ length: 15 }, (_, n) => `<a href="/${n}">page</a>`).join('');
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${url}</title>${links}`);
    });
    await using farm = await CrawlFarm.on(server, 'Polite', [3]);
    const source = await farm.addSource(server, 'site', [site.url], { interval: 100 });
    await farm.startRoles([0, 1, 2], { batchSize: 3, statusInterval: 20 });
    await farm.crawl(source, 'full');
    assert.equal(times.length, 16);
    const took = (times.at(-1) ?? 0) - (times[0] ?? 0);
    assert.ok(took > 15 * 100 * 0.9, `16 requests within ${took} ms`);
    const [store] = farm.stores;
    assert.ok(store);
    const turns = { HostID: 99, Turns: 3, Interval: 60_000 };
    assert.equal((await store.call(takeHostTurns, turns)).output.Wait, 0);
    const { output } = await store.call(takeHostTurns, turns);
    assert.ok((output.Wait ?? 0) > 120_000 && (output.Wait ?? 0) <= 180_000, String(output.Wait));
    await assert.rejects(store.call(takeHostTurns, { ...turns, Turns: 0 }), { number: 50000 });

    // MS-SQLPGAT2 3.2.5.5: a reset, which the master carries out when all others have let go.
    await requests(farm).reset();
    assert.deepEqual(await farm.history(), []);
    await farm.crawl(source, 'full');
    assert.equal((await farm.found()).size, 16, 'and is crawled anew');
  });

  test('MS-SQLPGAT2 3.2.5.7: the components compile a scope that is added, and one that comes later', async () => {
    await using farm = await CrawlFarm.on(server, 'Scopes', [2]);
    await farm.startRoles([0, 1]);
    await using compilers = new AsyncDisposableStack();
    for (const number of [0, 1]) {
      const options = { admin: farm.admin, number, interval: 20, log: silentLog };
      await compilers.use(new ScopeCompiler(options)).start();
    }
    for (const Name of ['Docs', 'More']) {
      const { output } = await farm.admin.call(addScope, { Name, Urls: '["http://a/docs"]' });
      await until(async () => {
        const { sets } = await farm.admin.call(getCompiledScopes, {});
        return sets.scopes.some(({ ScopeID }) => ScopeID === output.ScopeID);
      });
    }
  });

  test('MS-SQLPGAT2 3.2.5.8: a master merge is carried out by every component that it is asked of, unless merges are paused', async () => {
    await using farm = await CrawlFarm.on(server, 'Merge', [2]);
    await farm.startRoles([0, 1], { statusInterval: 20 });
    for (let DocID = 1; DocID <= 12; DocID++) {
      await farm.properties.call(putDocumentTexts, { Documents: documentsJson([{ DocID, Text: `rye ${DocID}` }]) });
    }
    const count = async (from: string) => {
      const [row] = await farm.admin.select({ n: int }, `select count(*) as n from ${from}`);
      return row?.n;
    };
    const open = () => count('Commands where Completed = 0');
    // A component that comes later has not heard of the pause.
    await until(async () => (await count('ComponentActivity where ComponentID in (0, 1)')) === 4);
    for (const reason of [pauseReason.backup, pauseReason.external])
      await requests(farm).pause(pauseLevel.masterMerges, reason);
    assert.equal(await farm.administration.requestMerge(), 2);
    await farm.admin.query(`insert into Commands (ObjectName, Description, CreatedUtcTime)
      select top 1 ObjectName, N'something else', getutcdate() from Commands`);
    await using mergers = new AsyncDisposableStack();
    for (const number of [0, 1]) {
      await mergers.use(new IndexMerger({ admin: farm.admin, number, interval: 20, log: silentLog })).start();
    }
    await delay(200);
    assert.equal(await open(), 5, 'none while they are paused');
    await requests(farm).resume(pauseLevel.masterMerges, pauseReason.backup);
    assert.equal(await count(`ComponentActivity where CPR_MasterMerge = ${pauseReason.external}`), 4);
    await requests(farm).resume(pauseLevel.masterMerges, pauseReason.external);
    await until(async () => (await open()) === 1);
    const { output } = await farm.properties.call(mergeTexts, {});
    assert.equal(output.IsMerged, true, 'nothing is left to merge');
  });
});
