import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachCrawlFarm } from './farm.ts';

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.2.5.1: a full crawl goes from the request to Done and asks for an anchor crawl', () =>
    withFarm(async ({ stage, store, rows }) => {
      const { misc: CrawlID } = await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: 1 });
      assert.equal(CrawlID, 2);
      assert.ok(typeof CrawlID === 'number');
      assert.deepEqual(await stage(102, { CrawlID, CrawlType: 1, ContentSourceID: 1 }), {
        misc: CrawlID,
        status: 1,
        subStatus: 1,
      });
      await stage(108, { CrawlID, MiscInputData: 0 });
      await store.bring({ CrawlID, AccessURL: 'http://host/', ItemType: 1 });
      assert.deepEqual(await stage(103, { CrawlID }), { misc: CrawlID, status: 1, subStatus: 2 });
      assert.deepEqual(await stage(104, { CrawlID }), { misc: CrawlID, status: 1, subStatus: 2 });
      await stage(106, { CrawlID, ComponentID: 0 });
      assert.deepEqual(await stage(104, { CrawlID }), { misc: CrawlID, status: 4, subStatus: 1 });
      assert.equal(await store.flush(CrawlID), 1);
      let { items } = await store.batch(CrawlID);
      assert.equal(items.length, 1);
      await store.bring(
        ...['a', 'b', 'a'].map((name, at) => ({
          CrawlID,
          AccessURL: `http://host/${name}`,
          SourceDocID: Number(items[0]?.['DocID']),
          FirstLink: at,
        })),
      );
      await store.commit(items);
      assert.equal(await store.flush(CrawlID), 3);
      ({ items } = await store.batch(CrawlID));
      assert.deepEqual(items.map((item) => item['AccessURL']).sort(), ['http://host/a', 'http://host/b']);
      assert.equal((await store.stage(141, { CrawlID })).status, 4);
      await store.commit(items);
      assert.equal((await store.stage(141, { CrawlID })).status, 11);
      await stage(142, { CrawlID, ComponentID: 0 });
      assert.deepEqual(await stage(140, { CrawlID }), { misc: CrawlID, status: 4, subStatus: 2 });
      await store.stage(145, { CrawlID, CrawlType: 1, ContentSourceID: 1 });
      assert.deepEqual(await stage(144, { CrawlID }), { misc: CrawlID, status: 4, subStatus: 3 });
      assert.deepEqual(await stage(140, { CrawlID }), { misc: CrawlID, status: 4, subStatus: 3 });
      await stage(142, { CrawlID, ComponentID: 0 });
      assert.deepEqual(await stage(140, { CrawlID }), { misc: CrawlID, status: 4, subStatus: 4 });
      assert.equal((await store.stage(151, { CrawlID })).misc, 1);
      assert.deepEqual(await stage(150, { CrawlID }), { misc: CrawlID, status: 14, subStatus: 1 });
      await stage(147, { CrawlID, ComponentID: 0 });
      assert.deepEqual(await stage(146, { CrawlID }), { misc: CrawlID, status: 14, subStatus: 2 });
      await store.stage(149, { CrawlID, ProjectID: 1 });
      assert.deepEqual(await stage(152, { CrawlID }), { misc: CrawlID, status: 14, subStatus: 4 });
      await store.stage(153, { CrawlID });
      assert.deepEqual(await stage(148, { CrawlID, ProjectID: 1 }), { misc: CrawlID, status: 11, subStatus: 0 });
      assert.deepEqual(await rows('exec proc_MSS_GetCrawls 0, 2, 1'), [
        { CrawlID: 3, CrawlType: 2, Status: 0, SubStatus: 0, Request: 1, ContentSourceID: 1, MainCrawlID: 2 },
      ]);
      assert.deepEqual(await store.rows('select SuccessCount, ErrorCount from CrawledHosts'), [
        { SuccessCount: 3, ErrorCount: 0 },
      ]);
    }));
});
