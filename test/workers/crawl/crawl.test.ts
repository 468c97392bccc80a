import assert from 'node:assert/strict';
import { test } from 'node:test';
import { int, nvarchar } from '../../../src/tds/types/index.ts';
import { forEachEngine } from '../../support/engines.ts';
import { assertSame, CrawlFarm, startCrawlServer } from './crawl-farm.ts';
import { SiteServer } from './site/site-server.ts';

/** Ten thousand pages where the environment asks for them; a crawl of 300 shows the same. */
const pages = Number(process.env['GRANARY_TEST_CRAWL_PAGES'] ?? 150);
const few = pages / 100;
const seconds = 120 + pages / 10;
const atOnce = { errorDeleteCount: 0, errorCount: 1000 };

forEachEngine((engine) => {
  test(`MS-SQLPGAT2 3.2.5: full, incremental, anchor and delete crawls of a site of ${pages} pages, with 3 components and 2 stores`, async (t) => {
    await using server = await startCrawlServer(engine);
    await using site = await SiteServer.start({ pages });
    await using farm = await CrawlFarm.on(server, 'Site', [2, 1]);
    const source = await farm.addSource(server, 'site', site.site.startAddresses, atOnce);
    await farm.startRoles([0, 1, 2]);
    const times: Record<string, number> = {};
    const timed = async (what: string, work: () => Promise<unknown>) => {
      const start = performance.now();
      await work();
      times[what] = Math.round(performance.now() - start);
    };

    await t.test('a full crawl finds exactly the pages that it should, each asked for once', async () => {
      await timed('full', () => farm.crawl(source, 'full', { seconds }));
      assertSame(await farm.found(), site.site.found(), 'found');
      for (const [url, { count }] of site.asked)
        assert.ok(count <= (/broken|flaky/.test(url) ? 3 : 1), `${url}: ${count}`);
    });

    await t.test('3.1.5.67: everything that everybody may read has one security descriptor', async () => {
      const [row] = await farm.properties.select({ n: int }, 'select count(distinct Sdid) as n from MSSDocSdids');
      assert.equal(row?.n, 1);
    });

    await t.test('the anchor crawl gives the texts of links to the documents that they lead to', async () => {
      const [row] = await farm.properties.select(
        { n: int },
        `select count(distinct p.DocId) as n from MSSDocProps p where p.Pid = 10`,
      );
      assert.ok((row?.n ?? 0) >= site.site.found().size * 0.9, `${row?.n} documents have anchor texts`);
      const texts = await farm.properties.select(
        { v: nvarchar(450) },
        `select p.strVal as v from MSSDocProps p join MSSDocProps q on q.DocId = p.DocId
         where p.Pid = 10 and q.Pid = 6 and q.strVal = @url`,
        { url: site.site.url(9) },
      );
      assert.ok(
        texts.some(({ v }) => v === 'Leads to 9'),
        JSON.stringify(texts),
      );
    });

    await t.test('an incremental crawl touches only what has changed, vanished and appeared', async () => {
      const before = site.site.found();
      const changes = site.site.change({ changed: few, vanished: few / 2, appeared: few / 2 }, 1);
      site.asked.clear();
      let crawl = 0;
      await timed('incremental', async () => {
        crawl = await farm.crawl(source, 'incremental', { seconds });
      });
      assertSame(await farm.found(), site.site.found(), 'found');
      const [counted] = await farm.admin.select(
        { ok: int, same: int, deleted: int },
        `select sum(SuccessCount) as ok, sum(NotModifiedCount) as same, sum(DeleteCount) as deleted
         from CrawlComponentStatus where CrawlID = @crawl`,
        { crawl },
      );
      // What is gone may be met once more, by a link of a page that was read after the deletion.
      assert.ok(
        (counted?.deleted ?? 0) >= changes.vanished.length && (counted?.deleted ?? 0) <= 2 * changes.vanished.length,
      );
      // Pages that appear bring others with them.
      const unchanged = before.intersection(site.site.found()).size - changes.changed.length;
      assert.ok((counted?.same ?? 0) >= unchanged, `${counted?.same} of ${unchanged} were the same`);
      const whole = [...site.asked]
        .filter(([url, { unchanged: same }]) => same === 0 && /\/p\//.test(url))
        .map(([url]) => url);
      const touched = new Set([...changes.changed, ...changes.vanished, ...changes.appeared]);
      const other = whole.filter((url) => !touched.has(url) && Number(/\d+(?=\.html)/.exec(url)?.[0]) % 3 !== 2);
      assert.deepEqual(other, [], 'whatever has a validator is asked for with it');
    });

    await t.test('a delete crawl empties the stores', async () => {
      await timed('delete', () => farm.crawl(source, 'delete', { seconds }));
      assert.deepEqual(await farm.history(), []);
      for (const store of farm.stores) {
        const [row] = await store.select({ n: int }, 'select count(*) as n from AnchorTextInfo');
        assert.equal(row?.n, 0, 'anchors');
      }
      for (const table of ['MSSDocProps', 'MSSDocResults', 'MSSDocSdids']) {
        const [row] = await farm.properties.select({ n: int }, `select count(*) as n from ${table}`);
        assert.equal(row?.n, 0, table);
      }
    });
    t.diagnostic(`${engine}: ${JSON.stringify(times)}`);
  });
});
