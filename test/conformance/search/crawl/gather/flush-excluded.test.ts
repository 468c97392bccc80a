import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachCrawlFarm, type Store } from '../farm.ts';
import { crawled, page } from './pages.ts';

const queue = (store: Store, columns: string) => store.rows(`select ${columns} from MSSCrawlQueue order by SeqID`);

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.1.5.14: a link that is excluded goes to the deleted URLs, or queues the deletion of its document', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['a']);
      const excluded = { CrawlID: 3, hrResult: 0x80040d07 | 0 };
      await store.bring(
        { ...excluded, AccessURL: page('a') },
        { ...excluded, AccessURL: page('new'), HostID: 2 },
        { ...excluded, AccessURL: page('new'), HostID: 2 },
      );
      await store.flush(3);
      assert.deepEqual(await store.rows('select AccessURL, HostID from DeletedUrl'), [
        { AccessURL: page('new'), HostID: 2 },
      ]);
      assert.deepEqual(await store.rows('select HostID, DeleteCount from CrawledHosts order by 1'), [
        { HostID: 1, DeleteCount: 0 },
        { HostID: 2, DeleteCount: 1 },
      ]);
      assert.deepEqual(await queue(store, 'DocID, TransactionType, Scope, DeleteReason'), [
        { DocID: 1, TransactionType: 1, Scope: 2, DeleteReason: 7 },
      ]);
      assert.deepEqual(await store.rows('select DeletePending from CrawlUrlHistory'), [{ DeletePending: true }]);
      await store.commit((await store.batch(3)).items);
    }));

  test('MS-SQLPGAT2 3.1.5.14: a link that is excluded is no deleted URL while the deletion of its document waits', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['a']);
      const excluded = { CrawlID: 3, hrResult: 0x80040d07 | 0, AccessURL: page('a') };
      const deleted = () => store.rows('select AccessURL from DeletedUrl');
      const counted = () => store.rows('select DeleteCount from CrawledHosts');
      await store.bring(excluded, excluded);
      await store.flush(3);
      await store.bring(excluded);
      await store.flush(3);
      assert.equal((await queue(store, 'DocID')).length, 1);
      assert.deepEqual([await deleted(), await counted()], [[], [{ DeleteCount: 0 }]]);
      await store.stage(115, { CrawlID: 3, ProjectID: 1, ContentSourceID: 1 });
      assert.deepEqual([await deleted(), await counted()], [[], [{ DeleteCount: 0 }]], 'the document has stayed');
      await store.bring({ ...excluded, CrawlID: 4 }, { ...excluded, CrawlID: 4, StartAddressID: 2 });
      await store.flush(4);
      assert.deepEqual(await deleted(), [{ AccessURL: page('a') }], 'another start address has found it');
      await store.commit((await store.batch(4)).items);
      assert.deepEqual(await deleted(), [{ AccessURL: page('a') }]);
    }));
});
