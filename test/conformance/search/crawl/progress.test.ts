import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachCrawlFarm } from './farm.ts';

forEachCrawlFarm((withFarm) => {
  test('where a crawl stands is said in words: whom it waits for, for which stage, since when, and what is left', () =>
    withFarm(
      async ({ stage, rows, store, clock }) => {
        const view = 'select Stands, WaitsFor, Stage, Components, Stores, Since from CrawlProgress';
        const stands = async () => (await rows(view))[0];
        await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: 1 });
        const Since = clock.now();
        const none = { Components: null, Stores: null, Since };
        assert.deepEqual(await stands(), {
          Stands: 'Requested',
          WaitsFor: 'the master to begin it',
          Stage: 102,
          ...none,
        });
        await stage(102, { CrawlID: 2, CrawlType: 1, ContentSourceID: 1 });
        await stage(108, { CrawlID: 2, MiscInputData: 0 });
        await stage(103, { CrawlID: 2 });
        await stage(106, { CrawlID: 2, ComponentID: 1 });
        const waiting = { Stands: 'Waiting for crawl components', Stores: '0', Since };
        assert.deepEqual(await stands(), {
          ...waiting,
          WaitsFor: 'components to start',
          Stage: 106,
          Components: '0, 2',
        });
        await stage(106, { CrawlID: 2, ComponentID: 0 });
        await stage(106, { CrawlID: 2, ComponentID: 2 });
        assert.deepEqual(await stands(), {
          ...waiting,
          WaitsFor: 'the master to notice that all components have started',
          Stage: 104,
          Components: null,
        });
        clock.advance(60_000);
        await stage(104, { CrawlID: 2 });
        assert.deepEqual(await stands(), {
          Stands: 'Crawling',
          WaitsFor: 'components to run out of items',
          Stage: 142,
          Components: '0, 1, 2',
          Stores: '0',
          Since: clock.now(),
        });
        for (const component of [0, 1, 2]) await stage(162, { MiscInputData: component });
        assert.deepEqual(await stands(), {
          Stands: 'Crawling',
          WaitsFor: 'a component of each store to be ready',
          Stage: 94,
          Components: null,
          Stores: '0',
          Since: clock.now(),
        });
        await store.bring(...['a', 'b', 'c'].map((name) => ({ CrawlID: 2, AccessURL: `http://host/${name}` })));
        await store.flush(2);
        await store.batch(2, { size: 1 });
        await store.bring({ CrawlID: 2, AccessURL: 'http://host/d' });
        assert.deepEqual(await store.rows('select * from CrawlWork'), [
          { CrawlID: 2, FreeItems: 2, ItemsInBatches: 1, Links: 1, ColleagueLinks: 0 },
        ]);
      },
      { components: [3] },
    ));

  test('a crawl of anchors is told to be of the content source that led to it; its record has 1, as stage 148 wants', () =>
    withFarm(
      async ({ stage, rows }) => {
        const { misc } = await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: 7 });
        const CrawlID = Number(misc);
        await stage(102, { CrawlID, CrawlType: 1, ContentSourceID: 7 });
        await stage(148, { CrawlID, ProjectID: 1 });
        const sources = (view: string) =>
          rows(`select ContentSourceID as source from ${view} where ContentSourceID in (1, 7) order by CrawlID`);
        assert.deepEqual(await sources('CrawlStatus'), [{ source: 7 }, { source: 1 }]);
        assert.deepEqual(await sources('CrawlProgress'), [{ source: 7 }, { source: 7 }]);
      },
      { components: [1] },
    ));

  test('a crawl one of whose stores has no component waits for one, whoever else is busy', () =>
    withFarm(
      async ({ stage, rows }) => {
        const { misc: CrawlID } = await stage(100, { ProjectID: 1, CrawlType: 1, ContentSourceID: 1 });
        const crawl = { CrawlID: Number(CrawlID) };
        await stage(102, { ...crawl, CrawlType: 1, ContentSourceID: 1 });
        for (const store of [0, 1]) await stage(108, { ...crawl, MiscInputData: store });
        await stage(103, crawl);
        await stage(106, { ...crawl, ComponentID: 0 });
        await stage(104, crawl);
        assert.deepEqual(await rows('select Stands, WaitsFor, Components, Stores from CrawlProgress'), [
          { Stands: 'Crawling', WaitsFor: 'a component of each store to be ready', Components: '0', Stores: '0, 1' },
        ]);
      },
      { components: [1, 0] },
    ));
});
