import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachCrawlFarm, type Store } from '../farm.ts';
import { page } from './pages.ts';

/** A crawl in which a page links to each of some documents that all show one URL, and the documents are crawled. */
async function crawl(store: Store, CrawlID: number, links: readonly (readonly [source: number, document: string])[]) {
  const shown = { CrawlID, DisplayURL: page('shown'), FirstLink: 1 };
  await store.bring(
    ...links.map(([SourceDocID, name]) => ({ ...shown, SourceDocID, AccessURL: `sts4://host/${name}` })),
  );
  await store.flush(CrawlID);
  await store.commit((await store.batch(CrawlID)).items);
}

const complete = (store: Store, CrawlID: number) => store.stage(149, { CrawlID, ProjectID: 1 });

const anchors = async (store: Store) =>
  (await store.rows('select SourceDocID, TargetDocID from AnchorTextInfo order by 1, 2')).map((row) =>
    Object.values(row),
  );

const each = (sources: readonly number[], targets: readonly number[]) =>
  sources.flatMap((source) => targets.map((target) => [source, target]));

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.1.5.7 stage 149, 3.1.1.20: a document that gets the anchor of another one with its display URL is to be processed', () =>
    withFarm(async ({ store }) => {
      await crawl(store, 2, [
        [50, 'one'],
        [51, 'two'],
      ]);
      await complete(store, 2);
      await crawl(store, 3, [[52, 'two']]);
      await complete(store, 3);
      assert.deepEqual(await anchors(store), each([50, 51, 52], [1, 2]));
      assert.deepEqual(await store.rows('select TargetDocID from PendingAnchorChange where CrawlID = 3 order by 1'), [
        { TargetDocID: 1 },
        { TargetDocID: 2 },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 149: a source leads once to each document of a display URL, also where one comes later', () =>
    withFarm(async ({ store }) => {
      await crawl(store, 2, [
        [50, 'one'],
        [51, 'two'],
      ]);
      await complete(store, 2);
      await crawl(store, 3, [[52, 'three']]);
      await complete(store, 3);
      assert.deepEqual(await anchors(store), each([50, 51, 52], [1, 2, 3]));
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 149: where one of the documents of a display URL is deleted its anchors wait for the next one, and lead to no other twice', () =>
    withFarm(async ({ store }) => {
      await crawl(store, 2, [
        [50, 'one'],
        [51, 'two'],
      ]);
      await complete(store, 2);
      await crawl(store, 3, [[50, 'one']]);
      await store.bring({ CrawlID: 3, AccessURL: 'sts4://host/two', hrResult: 0x80040d07 | 0 });
      await store.flush(3);
      await store.commit((await store.batch(3)).items);
      await complete(store, 3);
      assert.deepEqual(await anchors(store), each([50, 51], [-1, 1]));
      await crawl(store, 4, [[51, 'two']]);
      await complete(store, 4);
      assert.deepEqual(await anchors(store), each([50, 51], [1, 2]));
    }));
});
