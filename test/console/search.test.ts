import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import { Measures } from '../../src/base/log/measures.ts';
import { fold } from '../../src/base/text/collation.ts';
import type { Vouched } from '../../src/base/vouched.ts';
import {
  askOfCrawl,
  findDocuments,
  listCrawls,
  listErrors,
  searchDatabases,
  showCrawl,
  showSearch,
  showUrl,
  startCrawl,
} from '../../src/console/api/search.ts';
import { CrawlWatch } from '../../src/console/routes/search/crawl-watch.ts';
import { ratesOf } from '../../src/console/routes/search/rates.ts';
import { sql } from '../../src/engine/sql.ts';
import { search } from '../../src/protocols/search/kinds/search.ts';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { searchProperty } from '../../src/protocols/search/kinds/search-property.ts';
import { int } from '../../src/tds/types/index.ts';
import { settingNames, writeSetting } from '../../src/workers/crawl/store/settings.ts';
import { hash32 } from '../../src/workers/crawl/url/hash.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { ConsoleCaller } from './console-caller.ts';
import { addSearch, asSa, hostile } from './sample-data.ts';

const database = searchAdmin.firstDatabase;

describe('search in the interface of the console', () => {
  forEachEngine((engine) => {
    let server: TestServer;
    let caller: ConsoleCaller;
    before(async () => {
      const kinds = [searchAdmin, searchCrawl, searchProperty, search];
      server = await startServer({ engine, kinds, settings: { httpPort: 0 } });
      await addSearch(server);

      await server.granary.accounts.create('looker', 'Battery-Staple-9', { database, role: 'reader' });
      caller = await ConsoleCaller.logIn(server);
    });
    after(() => server[Symbol.asyncDispose]());

    test('sources, components and stores are told; a crawl that nobody begins says whom it waits for', async () => {
      const { databases } = await caller.call(searchDatabases, {});
      assert.deepEqual(databases, [
        { name: database, mayAct: true },
        { name: search.firstDatabase, mayAct: true },
      ]);
      // The Foundation role has one database for everything.
      const foundation = await caller.call(showSearch, { database: search.firstDatabase });
      assert.deepEqual(foundation.stores, [{ name: search.firstDatabase, documents: 0 }]);
      const idle = await caller.call(showSearch, { database });
      assert.deepEqual(
        idle.sources.map(({ id, name, startAddresses, crawl }) => [id, name, startAddresses, crawl]),
        [[1, `Intranet ${hostile.markup}`, ['http://contoso.example/'], null]],
      );
      assert.equal(idle.components.length > 0, true);
      const { crawl } = await caller.call(startCrawl, { database, source: 1, kind: 'full' });
      const told = await caller.call(showCrawl, { database, crawl });
      assert.deepEqual([told.crawl.stands, told.crawl.waitsFor], ['Requested', 'the master to begin it']);
      assert.deepEqual([told.isAttended, told.crawl.heeds, told.crawl.asked], [false, ['stop'], null]);
      assert.equal((await caller.call(showSearch, { database })).isAttended, false);
      // The master would forbid a second one (stage 102).
      const second = await caller.refused(startCrawl, { database, source: 1, kind: 'incremental' });
      assert.equal(second.status, 409);
      assert.match(second.error.message, new RegExp(`^Crawl ${crawl} of Intranet .* goes on \\(Requested\\)`));
      const { crawls, isAttended } = await caller.call(listCrawls, { database, source: 1 });
      assert.deepEqual(
        crawls.map(({ id, type, isOver }) => [id, type, isOver]),
        [[crawl, 'Full', false]],
      );
      assert.equal(isAttended, false);
    });

    test('how fast a crawl is that goes on is noted whether somebody looks or not', async () => {
      const clock = new ManualClock();
      const measures = new Measures();
      const samples = [{ labels: { database, state: 'requested' }, value: 1 }];
      measures.gauge('granary_crawls', 'Crawls by status.', () => samples);
      const view = { databases: async () => [{ name: database, kind: searchAdmin.name, id: 5, created: clock.now() }] };
      const attach = (who: Vouched) => server.granary.attach(who);
      const watched = { measures, view, attach, clock, log: silentLog };
      const watch = new CrawlWatch(watched);
      for (let looks = 0; looks < 3; looks++) {
        await watch.note();
        clock.advance(10_000);
      }
      const [{ id } = { id: 0 }] = (await caller.call(listCrawls, { database })).crawls;
      assert.deepEqual(
        ratesOf(watched)
          .note(`${database}/${id}`, clock.now(), 50)
          .map(({ perSecond }) => perSecond),
        [0, 0, 5],
      );
    });

    test('the speeds of a crawl are those of its last hour', () => {
      const clock = new ManualClock();
      const note = (at: Date) => ratesOf(clock).note('any/1', at, 7);
      for (let looks = 0; looks < 700; looks++) {
        note(clock.now());
        clock.advance(10_000);
      }
      const ended = clock.now();
      const rates = note(ended);
      assert.equal(rates.length, 359);
      assert.ok(ended.getTime() - Date.parse(rates[0]?.at ?? '') < 3_600_000);
      // Who looks at one that is over brings the moment of its end, again and again.
      assert.deepEqual(note(ended), rates);
    });

    test('pause, resume and stop reach the protocol; who may not is refused', async () => {
      await using client = asSa(server, database);
      const request = async () =>
        (await client.select({ n: int }, 'select Request as n from CrawlStatus where ProjectID = 1'))[0]?.n;
      const looker = await ConsoleCaller.logIn(server, 'looker', 'Battery-Staple-9');
      assert.equal((await looker.refused(askOfCrawl, { database, source: 1, what: 'pause' })).status, 403);
      const early = await caller.refused(askOfCrawl, { database, source: 1, what: 'pause' });
      assert.deepEqual([early.status, await request()], [409, 1]);
      const admin = await server.granary.engine.open(database);
      await admin?.write((db) => db.run(sql`update crawls set status = 4, sub_status = 1, request = 0`));
      await caller.call(askOfCrawl, { database, source: 1, what: 'pause' });
      assert.equal(await request(), 3);
      assert.deepEqual((await caller.call(listCrawls, { database })).crawls[0]?.asked, 'pause');
      await admin?.write((db) => db.run(sql`update crawls set status = 9, request = 0`));
      await caller.call(askOfCrawl, { database, source: 1, what: 'resume' });
      assert.equal(await request(), 4);
      await caller.call(askOfCrawl, { database, source: 1, what: 'stop' });
      assert.equal(await request(), 2);
      assert.equal((await caller.refused(askOfCrawl, { database, source: 9, what: 'stop' })).status, 404);
    });

    test('a crawl that would delete much is held until somebody allows it, and only then', async () => {
      await using client = asSa(server, database);
      const early = await caller.refused(askOfCrawl, { database, source: 1, what: 'delete unvisited' });
      assert.equal(early.status, 409);
      const [{ id } = { id: 0 }] = await client.select({ id: int }, 'select max(CrawlID) as id from CrawlStatus');
      const held = { documents: 10, unvisited: 9, urls: [hostile.link], isHeld: true };
      await writeSetting(client, settingNames.unvisited(id), JSON.stringify(held));
      assert.deepEqual((await caller.call(showSearch, { database })).sources[0]?.held, held);
      const admin = await server.granary.engine.open(database);
      const isHeld = async () => (await caller.call(showCrawl, { database, crawl: id })).crawl.isHeld;
      // It is so only in the stage that would delete.
      assert.equal(await isHeld(), false);
      await admin?.write((db) => db.run(sql`update crawls set status = 4, sub_status = 2, request = 0`));
      assert.equal(await isHeld(), true);
      await caller.call(askOfCrawl, { database, source: 1, what: 'delete unvisited' });
      const { sets } = await client.query(`
        declare @v sql_variant
        exec proc_MSS_GetConfigurationProperty @Name = '${settingNames.force(id)}', @Value = @v output
        select cast(@v as nvarchar(10)) as v`);
      assert.equal(sets[0]?.[0]?.['v'], 'yes');
      // It waits for nobody's word any more, also before the master has looked.
      assert.equal(await isHeld(), false);
      assert.equal((await caller.call(showSearch, { database })).sources[0]?.held?.isHeld, false);
      assert.equal((await caller.refused(askOfCrawl, { database, source: 1, what: 'delete unvisited' })).status, 409);
    });

    test('errors are counted by cause, and one URL tells its whole story with links to and from it', async () => {
      const { byCause, failures } = await caller.call(listErrors, { database, source: 1 });
      assert.equal(
        Object.values(byCause).reduce((sum, count) => sum + count, 0),
        1,
      );
      assert.deepEqual(
        failures.map(({ url, times, description }) => [url, times, description]),
        [['http://contoso.example/missing', 3, hostile.markup]],
      );
      const [cause = ''] = Object.keys(byCause);
      const ofCause = await caller.call(listErrors, { database, source: 1, cause });
      assert.deepEqual(ofCause.failures, failures);
      assert.deepEqual((await caller.call(listErrors, { database, source: 1, cause: 'no such cause' })).failures, []);
      const missing = await caller.call(showUrl, { database, url: 'http://contoso.example/missing' });
      assert.deepEqual(missing.known[0]?.linkedFrom, [{ url: 'http://contoso.example/', text: hostile.scripts }]);
      assert.equal(missing.known[0]?.error?.times, 3);
      const home = await caller.call(showUrl, { database, url: 'http://contoso.example/' });
      assert.deepEqual(home.known[0]?.linksTo, [{ url: 'http://contoso.example/missing', text: hostile.scripts }]);
      assert.deepEqual([home.known[0]?.title, home.known[0]?.isFound], [hostile.markup, true]);
      assert.deepEqual((await caller.call(showUrl, { database, url: 'http://elsewhere.example/' })).known, []);
      assert.equal((await caller.refused(showUrl, { database, url: 'no url' })).status, 400);
    });

    test('a URL that is not kept tells which documents link to it, and a link leads where it says', async () => {
      const gone = 'http://contoso.example/gone';
      const store = await server.granary.engine.open(searchCrawl.firstDatabase);
      await store?.write(async (db) => {
        await db.run(sql`insert into deleted_urls (access_url, access_key) values (${gone}, ${fold(gone)})`);
        // Until its crawl is complete, a link names the document whose identifier another one has by now.
        await db.run(sql`
          insert into anchor_text (source_doc_id, target_doc_id, link, link_key, link_hash, anchor_text, crawl_id)
          values (1, -1, ${gone}, ${fold(gone)}, ${hash32(gone)}, ${'went'}, 1),
            (2, 1, ${gone}, ${fold(gone)}, ${hash32(gone)}, ${'goes'}, 1)`);
      });
      const [story] = (await caller.call(showUrl, { database, url: gone })).known;
      assert.deepEqual(
        [story?.wasDeleted, story?.linkedFrom],
        [true, [{ url: 'http://contoso.example/', text: 'went' }]],
      );
      const missing = await caller.call(showUrl, { database, url: 'http://contoso.example/missing' });
      assert.deepEqual(missing.known[0]?.linksTo, [{ url: gone, text: 'goes' }]);
    });

    test('the search box finds what was crawled', async () => {
      const { total, found } = await caller.call(findDocuments, { database, text: 'gherkin' });
      assert.deepEqual(
        [total, found.map(({ place, url, title }) => [place, url, title])],
        [1, [[1, hostile.link, hostile.markup]]],
      );
      assert.equal((await caller.call(findDocuments, { database, text: 'zeppelin' })).total, 0);
    });
  });
});
