import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unloadTransactions } from '../../../../../src/protocols/search/gather/unload-transactions.ts';
import { forEachCrawlFarm } from '../farm.ts';
import { checkUndamaged } from '../invariants.ts';

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.1.5.66, 3.1.5.83: an item that is given back after its document was deleted is no damage, and leaves with its next commit', () =>
    withFarm(async ({ store }) => {
      await store.bring({ CrawlID: 2, AccessURL: 'http://host/a' });
      await store.flush(2);
      await store.stage(107, { CrawlID: 2, CrawlType: 3, ContentSourceID: 1, MiscInputData: 0 });
      const { id, items } = await store.batch(2);
      assert.deepEqual(
        items.map((item) => item['TransactionType']),
        [2, 1],
      );
      await store.commit(items.slice(1));
      assert.deepEqual(await store.rows('select DocID from CrawlUrlHistory'), []);
      await store.client.call(unloadTransactions, { ComponentID: 0, BatchID: id });
      await checkUndamaged(store);
      const again = await store.batch(2);
      assert.deepEqual(
        again.items.map((item) => [item['SeqID'], item['DocID'], item['AccessURL']]),
        [[items[0]?.['SeqID'], items[0]?.['DocID'], null]],
      );
      await store.commit(again.items);
      assert.deepEqual(await store.rows('select SeqID from MSSCrawlQueue'), []);
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 149, 3.1.5.14: what comes of a crawl after it was completed is no damage', () =>
    withFarm(async ({ store }) => {
      await store.stage(149, { CrawlID: 2, ProjectID: 1 });
      await store.bring({ CrawlID: 2, AccessURL: 'http://host/late' });
      await checkUndamaged(store);
      assert.equal(await store.flush(2), 1);
      await checkUndamaged(store);
      const { items } = await store.batch(2);
      assert.equal(items.length, 1);
      await store.commit(items);
    }));
});
