import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { password, startServer } from '../support/server.ts';
import type { CommandResult } from './granary.ts';
import { runHere } from './run-here.ts';

const page = (title: string, text: string, links: readonly string[] = []) =>
  `<html><head><title>${title}</title><meta name="author" content="Ada"></head><body><p>${text}</p>
   ${links.map((link) => `<a href="${link}">to ${link}</a>`).join(' ')}</body></html>`;

/** A web site whose pages a test changes; a page that is not there is a 404, /broken a 500. */
async function startSite(pages: Map<string, string>) {
  const site = createServer((request, response) => {
    const body = pages.get(request.url ?? '');
    const status = request.url === '/broken' ? 500 : 404;
    response.writeHead(body === undefined ? status : 200, { 'content-type': 'text/html' });
    response.end(body ?? 'no');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const address = site.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    [Symbol.asyncDispose]: async () => {
      site.closeAllConnections();
      site.close();
    },
  };
}

interface Scene {
  readonly site: Awaited<ReturnType<typeof startSite>>;
  readonly pages: Map<string, string>;
  /** Runs a command beside the server, on the same data. */
  run(...args: string[]): Promise<CommandResult>;
  /** Runs a command that goes on until it is ended. */
  running(...args: string[]): { end(): Promise<CommandResult> };
  /** Runs a command over the network. */
  elsewhere(...args: string[]): Promise<CommandResult>;
}

forEngineOfRun((engine) => {
  /** A site, a server, and commands beside that server or over the network. */
  async function scene(work: (scene: Scene) => Promise<void>, interval = '0'): Promise<void> {
    await using server = await startServer({ engine });
    const { data, engine: where, tlsCert = '' } = server.granary.settings;
    const pages = new Map([
      ['/', page('Home', 'The barn is full.', ['/rye', '/wheat', '/gone', '/broken'])],
      ['/rye', page('Rye', 'Rye is kept dry.', ['/'])],
      ['/wheat', page('Wheat', 'Wheat is kept beside the rye.')],
    ]);
    await using site = await startSite(pages);
    const run = (...args: string[]) => runHere([...args, '--data', data], { GRANARY_ENGINE: where });
    const running = (...args: string[]) => {
      const stop = new AbortController();
      const ended = runHere([...args, '--data', data], { GRANARY_ENGINE: where }, stop.signal);
      return {
        end: () => {
          stop.abort();
          return ended;
        },
      };
    };
    const there = ['--server', `127.0.0.1:${server.port}`, '--login', 'sa', '--ca', tlsCert];
    const elsewhere = (...args: string[]) => runHere([...args, ...there], { GRANARY_PASSWORD: password });
    const added = await run('search', 'source', 'add', 'Barn', '--start', site.url('/'), '--interval', interval);
    assert.equal(added.code, 0, added.stderr);
    await work({ site, pages, run, running, elsewhere });
  }

  describe('granary crawl', () => {
    test('crawl run does what others ask for; a crawl is paused, resumed and stopped', () =>
      scene(async ({ site, pages, run, running }) => {
        for (let at = 0; at < 60; at++) pages.set(`/${at}`, page(`Page ${at}`, 'text', [`/${at + 1}`]));
        pages.set('/', page('Home', 'The barn is full.', ['/0']));
        const asked = await run('crawl', 'start', 'Barn', '--no-wait', '--json');
        assert.equal(asked.code, 0, asked.stderr);
        const { crawl } = JSON.parse(asked.stdout);
        const nobody = /No crawl component is running: start the free ones with granary crawl run, here or elsewhere\./;
        const { stdout: shown } = await run('crawl', 'status');
        assert.match(shown, new RegExp(`^${crawl} +Barn +Full +Requested`, 'm'));
        assert.match(shown, nobody);
        assert.equal((await run('crawl', 'status', 'Barn')).stdout, shown);
        const early = await run('crawl', 'pause', 'Barn');
        assert.equal(early.code, 1, early.stdout);
        assert.match(early.stderr, /\(Requested\) cannot be paused: it is waiting for the master to begin it\./);
        assert.match(early.stderr, nobody);
        const second = await run('crawl', 'start', 'Barn');
        assert.equal(second.code, 1, second.stdout);
        assert.match(second.stderr, /is already running \(Requested\)\. granary crawl resume Barn continues/);
        const stands = async (): Promise<string> => {
          const { stdout } = await run('crawl', 'log', '--json');
          return JSON.parse(stdout).find((one: { crawl: number }) => one.crawl === crawl).stands;
        };
        const until = async (wanted: string) => {
          for (let times = 0; times < 1000 && (await stands()) !== wanted; times++) await delay(50);
          assert.equal(await stands(), wanted);
        };
        const worker = running('crawl', 'run');
        await until('Crawling');
        assert.match((await run('crawl', 'pause', 'Barn')).stdout, /^Crawl \d+ of Barn was asked to pause\.\n$/);
        await until('Paused');
        assert.match(
          (await run('crawl', 'pause', 'Barn')).stdout,
          /of Barn had already been asked to pause: Paused\.\n$/,
        );
        assert.match((await run('crawl', 'status')).stdout, /somebody to resume it/);
        assert.match((await run('crawl', 'resume', 'Barn', '--no-wait')).stdout, /continues/);
        await until('Crawling');
        assert.equal((await run('crawl', 'stop', 'Barn')).code, 0);
        await until('Stopped');
        assert.match((await run('crawl', 'why', site.url('/0'))).stdout, /can be found/);
        assert.equal((await worker.end()).code, 0);
      }, '100ms'));

    test('crawls a source beside a running server, shows how it goes, and what was crawled is found', () =>
      scene(async ({ site, pages, run, elsewhere }) => {
        const tooLong = `/${'x'.repeat(1600)}`;
        pages.set('/wheat', page('Wheat', 'Wheat is kept beside the rye.', [tooLong]));
        const crawled = await run('crawl', 'start', 'Barn');
        assert.equal(crawled.code, 0, crawled.stderr);
        assert.match(
          crawled.stdout,
          /^Crawl \d+ is done: 3 crawled, .* and 1 have a warning, 2 errors \(in the source: 1 server error\)/,
        );
        // Which stages are shown depends on how fast the crawl is; its end always is.
        assert.match(
          crawled.stderr,
          /^Crawl \d+: \d+ crawled, \d+ queued, .* documents per second; .+, waiting since/m,
        );
        assert.match(crawled.stderr, /^Crawl \d+ of anchors: .*; Done$/m);
        const found = await run('find', 'rye');
        assert.match(found.stdout, /^1\. Rye\n {3}http:\/\/\S+\/rye\n {3}«Rye» is kept dry\./);
        assert.match(found.stdout, /3 of 3 documents\.\n$/);
        const there = await elsewhere('find', 'author:ada beside', '--json');
        assert.equal(there.code, 0, there.stderr);
        assert.equal(JSON.parse(there.stdout).found[0].Title, 'Wheat');
        const errors = await elsewhere('crawl', 'errors', 'Barn', '--json');
        assert.deepEqual(
          JSON.parse(errors.stdout)
            .map(({ Url, Level, Cause }: Record<string, unknown>) => [Level, Url, Cause])
            .sort(),
          [
            ['error', site.url('/broken'), 'server error'],
            ['warning', site.url('/wheat'), 'link too long'],
          ],
        );
        const warned = (await run('crawl', 'why', site.url('/wheat'))).stdout;
        assert.match(warned, /can be found\n {2}warning: link too long: A link is longer than 1500 characters .*\/xxx/);
        const left = (await run('crawl', 'why', site.url(tooLong))).stdout;
        assert.match(
          left,
          /xxx…\n {2}content source Barn\n {2}is longer than the 1500 .*\n {2}linked from \S+\/wheat\n/,
        );
        const log = await run('crawl', 'log');
        assert.match(log.stdout, /^\d +Barn +Full +Done/m);
        const status = await run('crawl', 'status', '--json');
        assert.equal(status.stdout, '[]\n');
        await run('search', 'source', 'add', 'Mill', '--start', site.url('/mill'));
        assert.equal((await run('crawl', 'log', 'Barn')).stdout, log.stdout);
        assert.equal((await run('crawl', 'log', 'Mill')).stdout, 'Nothing to show.\n');
        assert.equal((await run('crawl', 'log', '--source', 'Mill', '--json')).stdout, '[]\n');
        assert.match((await run('crawl', 'log', 'Bran')).stderr, /There is no content source 'Bran'/);
        assert.equal((await run('crawl', 'log', 'Barn', 'Mill')).code, 2);
        const why = await run('crawl', 'why', site.url('/rye'));
        assert.match(
          why.stdout,
          /content source Barn\n {2}“Rye”, last visited 2\d{3}-\S+ by crawl \d\n {2}can be found\n/,
        );
        assert.match(why.stdout, /linked from http:\S+\/ as “to \/rye”/);
        assert.match((await run('crawl', 'why', site.url('/gone'))).stdout, /was found but not kept/);
        const gone = await elsewhere('crawl', 'why', site.url('/broken'));
        assert.match(
          gone.stdout,
          /cannot be found\n {2}server error, 1 time since \S+: The server answered 500\.\n {2}will be deleted after \d+ more such errors/,
        );
      }));

    test('an incremental crawl; one that would delete too much waits for --force and exits with 3; a delete crawl', () =>
      scene(async ({ pages, site, run, elsewhere }) => {
        assert.equal((await run('crawl', 'start', 'Barn')).code, 0);
        pages.set('/wheat', page('Wheat', 'Wheat was eaten by mice.'));
        const again = await elsewhere('crawl', 'start', 'Barn', '--incremental', '--json');
        assert.equal(again.code, 0, again.stderr);
        const last = JSON.parse(again.stdout.trim().split('\n').at(-1) ?? '');
        assert.equal(last.stands, 'Done');
        assert.match((await run('find', 'mice')).stdout, /^1\. Wheat/);
        assert.match((await run('find', 'beside')).stdout, /^No documents found/);
        pages.set('/', page('Home', 'Nobody is linked any more.'));
        const held = await run('crawl', 'start', 'Barn');
        assert.equal(held.code, 3, held.stderr);
        assert.match(held.stderr, /would delete them:\n {2}http:\S+\/(rye|wheat|broken)\n/);
        assert.match((await run('find', 'dry')).stdout, /1 of 1 documents/);
        for (const where of ['crawl', 'search'])
          assert.match((await run(where, 'status')).stdout, /somebody to let it delete \d+ of \d+ documents/);
        assert.match(
          (await run('crawl', 'stop', 'Barn')).stdout,
          /^Crawl \d+ of Barn: stopped\. What was crawled is kept\.\n$/,
        );
        assert.equal((await run('crawl', 'start', 'Barn')).code, 3);
        const forced = await run('crawl', 'resume', 'Barn', '--force');
        assert.equal(forced.code, 0, forced.stderr);
        assert.match((await run('find', 'dry')).stdout, /^No documents found/);
        assert.match((await run('find', 'linked')).stdout, /^1\. Home/);
        const deleted = await run('crawl', 'start', 'Barn', '--delete');
        assert.equal(deleted.code, 0, deleted.stderr);
        assert.match((await run('find', 'linked')).stdout, /^No documents found/);
        assert.match(
          (await run('crawl', 'why', site.url('/rye'))).stdout,
          /has never been reached|was found but not kept/,
        );
      }));
  });
});

describe('granary crawl says what is wrong', () => {
  test('of a source, a flag, a password, a server', async () => {
    await using server = await startServer({ kinds: [searchAdmin] });
    const data = ['--data', server.granary.settings.data];
    const unknown = await runHere(['crawl', 'start', 'Nothing', ...data]);
    assert.deepEqual(
      [unknown.code, unknown.stderr],
      [1, "granary: There is no content source 'Nothing'. There are none; add one with granary search source add.\n"],
    );
    const both = await runHere(['crawl', 'start', 'X', '--incremental', '--delete', ...data]);
    assert.equal(both.code, 2);
    const without = await runHere(['crawl', 'status', '--server', 'localhost:1']);
    assert.deepEqual(
      [without.code, without.stderr],
      [2, 'granary: The password of the login is required in GRANARY_PASSWORD.\n'],
    );
    const nobody = await runHere(['find', 'x', '--server', '127.0.0.1:1'], { GRANARY_PASSWORD: 'x' });
    assert.equal(nobody.code, 1);
    const strange = await runHere(['crawl', 'status', '--server', `127.0.0.1:${server.port}`], {
      GRANARY_PASSWORD: 'x',
    });
    assert.equal(strange.code, 1);
    assert.match(
      strange.stderr,
      /^granary: The certificate of 127\.0\.0\.1:\d+ is not trusted: [\w -]+\. Trust one with --ca FILE/,
    );
    assert.match(nobody.stderr, /^granary: there is no connection to 127\.0\.0\.1:1: .*ECONNREFUSED.*\n$/);
  });
});
