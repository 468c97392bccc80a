import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachCrawlFarm } from './farm.ts';
import { committedIn, Play, type World } from './play.ts';

const root = 'http://host/';
const link = (name: string, more: object = {}) => ({ AccessURL: `${root}${name}`, ...more });
/** A site whose start address links to pages. */
const site =
  (...pages: readonly string[]): World =>
  (url) =>
    url === root ? { links: pages.map((name) => link(name)) } : {};
const start = { AccessURL: root };
const urls = (items: readonly Readonly<Record<string, unknown>>[]) => items.map((item) => item['AccessURL']);

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.2.5.1: the next full crawl deletes what it does not reach', () =>
    withFarm(async (farm) => {
      const first = await Play.begin(farm);
      await first.addStartAddresses([farm.store], start);
      await first.start();
      assert.deepEqual(urls(await first.crawl(site('a', 'b', 'c'))), [root, `${root}a`, `${root}b`, `${root}c`]);
      assert.deepEqual(await first.finish(), []);
      const second = await Play.begin(farm);
      await second.addStartAddresses([farm.store], start);
      await second.start();
      await second.crawl(site('b', 'd'));
      assert.deepEqual(urls(await second.finish()), [`${root}a`, `${root}c`]);
      assert.deepEqual(await committedIn(farm.store), {
        [root]: second.id,
        [`${root}b`]: second.id,
        [`${root}d`]: second.id,
      });
      assert.deepEqual(await farm.store.rows('select SuccessCount, DeleteCount from CrawledHosts'), [
        { SuccessCount: 3, DeleteCount: 2 },
      ]);
    }));

  test('MS-SQLPGAT2 3.2.5.2: an incremental crawl without change log looks at folders, not at files that were not modified', () =>
    withFarm(async (farm) => {
      const file = { TransactionFlags: 0x200, LastModifiedTime: 5n };
      const folder: World = (url) =>
        url === root
          ? { links: ['kept', 'changed', 'gone'].map((name) => link(name, file)), result: { TransactionFlags: 0x4 } }
          : { result: { LastModifiedTime: 5n, TransactionFlags: 0x200 } };
      const first = await Play.begin(farm);
      await first.addStartAddresses([farm.store], { ...start, TransactionFlags: 0x4 });
      await first.start();
      await first.crawl(folder);
      await first.finish();
      const second = await Play.begin(farm, { type: 2 });
      assert.equal((await farm.store.stage(109, { CrawlID: second.id, ContentSourceID: 1 })).misc, 1);
      assert.equal((await farm.store.stage(109, { CrawlID: second.id, ContentSourceID: 1 })).misc, 1);
      await second.addStartAddresses([farm.store], { ...start, TransactionFlags: 0x4 });
      await second.start();
      const changed: World = (url) =>
        url === root
          ? {
              links: [link('kept', file), link('changed', { ...file, LastModifiedTime: 6n })],
              result: { TransactionFlags: 0x4 },
            }
          : { result: { LastModifiedTime: 6n, TransactionFlags: 0x200 } };
      assert.deepEqual(urls(await second.crawl(changed)), [root, `${root}changed`]);
      assert.deepEqual(urls(await second.finish()), [`${root}gone`]);
      assert.deepEqual(await committedIn(farm.store), {
        [root]: second.id,
        [`${root}kept`]: second.id,
        [`${root}changed`]: second.id,
      });
    }));

  test('MS-SQLPGAT2 3.2.5.2: an incremental crawl with change log does what the log says, and keeps the cookie', () =>
    withFarm(async (farm) => {
      const log = { UseChangeLog: 1, ChangeLogCookieType: 1 };
      const used = { UseChangeLog: 1 };
      const cookie = (value: number) => ({ ...log, ChangeLogCookie: new Uint8Array([value]) });
      const first = await Play.begin(farm);
      await first.addStartAddresses([farm.store], { ...start, TransactionFlags: 0x4, ...used });
      await first.start();
      await first.crawl((url) =>
        url === root
          ? { links: ['a', 'b'].map((name) => link(name, used)), result: { ...cookie(1), TransactionFlags: 0x4 } }
          : {},
      );
      await first.finish();
      const second = await Play.begin(farm, { type: 2 });
      await farm.store.stage(109, { CrawlID: second.id, ContentSourceID: 1 });
      await second.addStartAddresses([farm.store]);
      await second.start();
      const entry = { ...used, ParentProcessChangeLog: 1, ChangeLogBatchID: 1 };
      const items = await second.crawl((url) =>
        url === root
          ? {
              links: [
                link('a', { ...entry, TransactionType: 1 }),
                link('b', { ...entry, TransactionType: 2 }),
                link('new', { ...entry, TransactionType: 0 }),
              ],
              result: { ...cookie(2), TransactionFlags: 0x4 },
            }
          : {},
      );
      assert.deepEqual(urls(items).sort(), [root, `${root}a`, `${root}b`, `${root}new`].sort());
      assert.deepEqual(await second.finish(), []);
      assert.deepEqual(await committedIn(farm.store), {
        [root]: second.id,
        [`${root}b`]: second.id,
        [`${root}new`]: second.id,
      });
      const [kept] = await farm.store.rows(`select ChangeLogCookie from CrawlUrlHistory where AccessURL = '${root}'`);
      assert.deepEqual(kept?.['ChangeLogCookie'], Buffer.from([2]));
    }));

  for (const [what, startAddress, left] of [
    ['a whole content source', 0, []],
    ['one start address', 1, ['http://other/']],
  ] as const) {
    test(`MS-SQLPGAT2 3.2.5.3: a delete crawl deletes ${what}`, () =>
      withFarm(async (farm) => {
        const first = await Play.begin(farm);
        await first.addStartAddresses([farm.store], start, { AccessURL: 'http://other/', StartAddressID: 2 });
        await first.start();
        await first.crawl(site('a', 'b'));
        await first.finish();
        if (startAddress === 0) await farm.stage(160, { ContentSourceID: 1 });
        else await farm.stage(161, { ContentSourceID: 1, MiscInputData: startAddress });
        await farm.stage(164, { ProjectID: 1, ContentSourceID: 1 });
        const [asked] = await farm.rows('exec proc_MSS_GetCrawls null, 1, 1');
        const second = await Play.take(farm, Number(asked?.['CrawlID']), { type: 3 });
        for (const row of await farm.rows(`exec proc_MSS_GetDeleteCrawl ${second.id}`)) {
          const { misc } = await farm.store.stage(107, {
            CrawlID: second.id,
            CrawlType: 3,
            ContentSourceID: Number(row['ContentSourceID']),
            MiscInputData: Number(row['StartAddressID']),
          });
          assert.equal(misc, 4 - left.length);
        }
        await second.addStartAddresses([farm.store]);
        await second.start();
        await second.crawl();
        await second.finish();
        assert.deepEqual(Object.keys(await committedIn(farm.store)), left);
      }));
  }

  test('MS-SQLPGAT2 3.2.5.4: an anchor crawl works on the targets that a portal crawl has changed, and ends without a trace', () =>
    withFarm(async (farm) => {
      const { store } = farm;
      const portal = await Play.begin(farm);
      await portal.addStartAddresses([store], start);
      await portal.start();
      await portal.crawl(site('a', 'b'));
      await portal.finish();
      const pending = await store.rows('select CrawlID, TargetDocID from PendingAnchorChange order by 2');
      assert.deepEqual(
        pending.map((row) => [row['CrawlID'], row['TargetDocID']]),
        [
          [portal.id, 2],
          [portal.id, 3],
        ],
      );
      const [asked] = await farm.rows('exec proc_MSS_GetCrawls null, 2, 1');
      assert.equal(asked?.['MainCrawlID'], portal.id);
      const anchors = await Play.take(farm, Number(asked?.['CrawlID']), { type: 2, project: 2 });
      await store.stage(170, { CrawlID: anchors.id, CrawlType: 2, MiscInputData: portal.id });
      assert.deepEqual(await store.rows('select TargetDocID, ChangeType from AnchorChange order by 1'), [
        { TargetDocID: 2, ChangeType: 2 },
        { TargetDocID: 3, ChangeType: 2 },
      ]);
      await anchors.addStartAddresses([store], { AccessURL: 'anchor:1', ItemType: 6, DocID: -1 });
      await anchors.start();
      const next: World = (url) =>
        url === 'anchor:1' ? { links: [{ AccessURL: 'anchor:2', ItemType: 6, DocID: -1 }] } : {};
      assert.deepEqual(urls(await anchors.crawl(next)).sort(), ['anchor:1', 'anchor:1', 'anchor:2', 'anchor:2']);
      await anchors.finish();
      for (const set of ['AnchorChange', 'PendingAnchorChange', 'ChangedAnchorTargetDocuments']) {
        assert.deepEqual(await store.rows(`select * from ${set}`), [], set);
      }
      assert.equal((await store.rows('select DocID from CrawlUrlHistory')).length, 3);
      assert.deepEqual(await farm.rows('exec proc_MSS_GetCrawls null, 2, 1'), []);
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 115, 3.1.5.8: a crawl that is stopped leaves nothing, and takes its deletions back', () =>
    withFarm(async (farm) => {
      const { store } = farm;
      const first = await Play.begin(farm);
      await first.addStartAddresses([store], start);
      await first.start();
      await first.crawl(site('a', 'b'));
      await first.finish();
      const second = await Play.begin(farm);
      await second.addStartAddresses([store], start);
      await second.start();
      await second.crawl(site('b'));
      await second.all(142, 140);
      await store.stage(145, { CrawlID: second.id, CrawlType: 1, ContentSourceID: 1 });
      await store.batch(second.id);
      await store.bring({ CrawlID: second.id, AccessURL: `${root}late` });
      await farm.stage(110, { ContentSourceID: 1 });
      await farm.stage(111, { CrawlID: second.id });
      assert.deepEqual(await second.all(112, 113), [13, 2]);
      const { misc } = await store.stage(115, { CrawlID: second.id, ContentSourceID: 1, ProjectID: 1 });
      assert.notEqual(misc, 1, 'no further call is needed');
      assert.equal((await farm.stage(114, { CrawlID: second.id })).status, 12);
      assert.equal((await store.stage(141, { CrawlID: second.id })).status, 11);
      assert.deepEqual(Object.keys(await committedIn(store)).sort(), [root, `${root}a`, `${root}b`]);
    }));

  test('MS-SQLPGAT2 3.1.5.8: a paused crawl goes on where it was, with the items that its components had', () =>
    withFarm(
      async (farm) => {
        const play = await Play.begin(farm);
        await play.addStartAddresses([farm.store], start);
        await play.start();
        await farm.store.flush(play.id);
        const { id } = await farm.store.batch(play.id);
        await farm.stage(120, { ContentSourceID: 1 });
        await farm.stage(121, { CrawlID: play.id });
        assert.equal((await farm.rows('exec proc_MSS_GetCrawls 1, 1, 0'))[0]?.['Status'], 8);
        assert.deepEqual(await play.all(122, 123), [9, 1]);
        await farm.store.client.batch(`exec proc_MSS_UnloadTransactions 0, ${id}`);
        await farm.stage(130, { ContentSourceID: 1 });
        await farm.stage(131, { CrawlID: play.id });
        assert.deepEqual(await play.all(132, 133), [4, 1]);
        assert.equal((await play.crawl(site('a'))).length, 2);
        await play.finish();
      },
      { components: [2] },
    ));

  test('MS-SQLPGAT2 3.1.5.7, 3.1.5.8: the crawl goes on without a component that died, and its batch goes to another one', () =>
    withFarm(
      async (farm) => {
        const { store, clock } = farm;
        for (const ComponentID of [0, 1]) await farm.stage(95, { ComponentID });
        const play = await Play.begin(farm);
        await play.addStartAddresses([store], start);
        await play.start();
        await store.flush(play.id);
        const { items } = await store.batch(play.id, { component: 0 });
        assert.equal(items.length, 1);
        clock.advance(20 * 60_000);
        await farm.stage(95, { ComponentID: 1 });
        const { misc: dead } = await farm.stage(96, { MiscInputData: 10 });
        assert.equal(dead, 0);
        await farm.stage(162, { MiscInputData: 0 });
        await store.stage(163, { MiscInputData: 0 });
        await assert.rejects(store.batch(play.id, { component: 0 }), { number: 50000 });
        await store.commit(items, {}, 0);
        assert.deepEqual(await play.components(), [1]);
        assert.deepEqual(urls(await play.crawl(site('a'))), [root, `${root}a`]);
        await play.finish();
        assert.deepEqual(await store.rows("select Retry from CrawlUrlHistory where AccessURL = 'http://host/'"), [
          { Retry: 0 },
        ]);
      },
      { components: [2] },
    ));

  test('MS-SQLPGAT2 3.2.5.1: two crawl stores and three components crawl hosts of both', () =>
    withFarm(
      async (farm) => {
        const [one, other] = farm.stores;
        assert.ok(one && other);
        const host = async (name: string) => {
          const sent = `declare @db int, @id int; exec proc_MSS_GetHost '${name}', @db output, @id output; select @db as db, @id as id`;
          return (await farm.admin.batch(sent)).sets[0]?.[0];
        };
        assert.deepEqual(
          [await host('one'), await host('two'), await host('ONE')],
          [
            { db: 0, id: 1 },
            { db: 1, id: 2 },
            { db: 0, id: 1 },
          ],
        );
        const play = await Play.begin(farm);
        await play.addStartAddresses([one], { AccessURL: 'http://one/', HostID: 1 });
        await play.start();
        assert.deepEqual(await play.components(), [0, 1]);
        const pages = (name: string, HostID: number, count: number) =>
          Array.from({ length: count }, (_, at) => ({ AccessURL: `http://${name}/${at}`, HostID }));
        const items = await play.crawl((url) => {
          if (url === 'http://one/') return { links: [...pages('one', 1, 30), ...pages('two', 2, 25)] };
          return url === 'http://two/3' ? { links: pages('one', 1, 35) } : {};
        });
        assert.deepEqual(await play.components(), [0, 1, 2], 'the other store joined when links for it were found');
        assert.equal(items.length, 1 + 35 + 25);
        for (const ComponentID of await play.components()) await farm.stage(106, { CrawlID: play.id, ComponentID });
        await play.finish();
        const documents = await Promise.all(
          [one, other].map((store) => store.rows('select DocID from CrawlUrlHistory')),
        );
        assert.deepEqual(
          documents.map((rows) => rows.length),
          [36, 25],
        );
        const ids = documents.flat().map((row) => row['DocID']);
        assert.equal(new Set(ids).size, ids.length, 'no identifier is shared');
      },
      { components: [2, 1] },
    ));

  test('MS-SQLPGAT2 3.4.5.1: in the Foundation role a full crawl goes the same way in one database, without an anchor crawl', () =>
    withFarm(
      async (farm) => {
        const play = await Play.begin(farm);
        await play.addStartAddresses([farm.store], start);
        await play.start();
        await play.crawl(site('a', 'b'));
        await play.finish();
        assert.deepEqual(Object.values(await committedIn(farm.store)), [play.id, play.id, play.id]);
        assert.deepEqual(await farm.rows('exec proc_MSS_GetCrawls null, 2, 1'), []);
        for (const set of ['Target', 'Source', 'Committed', 'Deleted']) {
          assert.deepEqual(await farm.rows(`select * from ChangedAnchor${set}Documents`), [], 'nothing waits for one');
        }
        await assert.rejects(farm.admin.batch('exec proc_MSS_GetMasterRole 0, null'), { number: 2812 });
      },
      { isFoundation: true },
    ));

  test('MS-SQLPGAT2 3.4.5: in the Foundation role what is committed late in a stopped crawl is forgotten with the next one', () =>
    withFarm(
      async (farm) => {
        const { store } = farm;
        const stopped = await Play.begin(farm);
        await stopped.addStartAddresses([store], start);
        await stopped.start();
        await store.flush(stopped.id);
        const { items } = await store.batch(stopped.id);
        await farm.stage(110, { ContentSourceID: 1 });
        await farm.stage(111, { CrawlID: stopped.id });
        await stopped.all(112, 113);
        await store.stage(115, { CrawlID: stopped.id, ContentSourceID: 1, ProjectID: 1 });
        await farm.stage(114, { CrawlID: stopped.id });
        await store.commit(items);
        const late = await farm.rows('select CrawlID from ChangedAnchorCommittedDocuments');
        assert.deepEqual(late, [{ CrawlID: stopped.id }]);
        const next = await Play.begin(farm);
        await next.addStartAddresses([store], start);
        await next.start();
        await next.crawl();
        await next.finish();
        for (const set of ['Target', 'Source', 'Committed', 'Deleted']) {
          assert.deepEqual(await farm.rows(`select * from ChangedAnchor${set}Documents`), []);
        }
      },
      { isFoundation: true },
    ));
});
