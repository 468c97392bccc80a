import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachCrawlFarm, type Store } from '../farm.ts';
import { hashOf } from '../link.ts';
import { crawled, page } from './pages.ts';

const item = { CompactURL: 'item 7', CompactHash: hashOf('item 7') };
/** The item where it is now, as a folder lists it, and as the change log has it. */
const listed = { ...item, CrawlID: 3, CrawlType: 2, AccessURL: page('new') };
const renamed = { ...listed, UseChangeLog: 1, ParentProcessChangeLog: 1, ChangeLogBatchID: 1, TransactionType: 3 };

/** What may have become of the ordinary link before the entry of the change log comes. */
const before: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'waits in the same call': async () => undefined,
  'was taken in': (store) => store.flush(3),
  'was crawled': async (store) => {
    await store.flush(3);
    await store.commit((await store.batch(3)).items);
  },
};

forEachCrawlFarm((withFarm) => {
  for (const [what, happens] of Object.entries(before)) {
    test(`MS-SQLPGAT2 3.1.5.14: a renamed item is deleted where it was, though an ordinary link to where it is now ${what}`, () =>
      withFarm(async ({ store }) => {
        await crawled(store, ['old'], item);
        await store.bring(listed);
        await happens(store);
        await store.bring(renamed);
        await store.flush(3);
        assert.deepEqual(await store.rows('select AccessURL, DeletePending from CrawlUrlHistory order by DocID'), [
          { AccessURL: page('old'), DeletePending: true },
          { AccessURL: page('new'), DeletePending: false },
        ]);
        assert.deepEqual(await store.rows('select DocID, DeleteReason from MSSCrawlQueue where TransactionType = 1'), [
          { DocID: 1, DeleteReason: 8 },
        ]);
      }));
  }

  test('MS-SQLPGAT2 3.1.5.14: an item that was renamed, and has its access URL still, is modified and nothing is deleted', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['new'], item);
      await store.bring(renamed);
      await store.flush(3);
      assert.deepEqual(await store.rows('select DocID, TransactionType, Scope from MSSCrawlQueue'), [
        { DocID: 1, TransactionType: 2, Scope: 2 },
      ]);
    }));
});
