import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TYPES } from 'tedious';
import { sql } from '../../../../../src/engine/sql.ts';
import { getNextCrawlBatch } from '../../../../../src/protocols/search/gather/get-next-crawl-batch.ts';
import { unloadTransactions } from '../../../../../src/protocols/search/gather/unload-transactions.ts';
import { forEachCrawlFarm, type Store } from '../farm.ts';
import { crawled, page } from './pages.ts';

const bring = (store: Store, count: number, CrawlID = 2) =>
  store.bring(...Array.from({ length: count }, (_, at) => ({ CrawlID, AccessURL: page(`${CrawlID}/${at}`) })));
const documents = (items: readonly Readonly<Record<string, unknown>>[]) => items.map((item) => item['DocID']);

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.1.5.45: hands out the oldest free items of the crawl, each in one batch, under ever new identifiers', () =>
    withFarm(async ({ store }) => {
      await bring(store, 5);
      await bring(store, 1, 3);
      await store.flush(2);
      await store.flush(3);
      const first = await store.batch(2, { size: 2 });
      const second = await store.batch(2, { size: 10, component: 7 });
      const empty = await store.batch(2);
      assert.deepEqual(documents(first.items), [1, 2]);
      assert.deepEqual(documents(second.items), [3, 4, 5]);
      assert.deepEqual(empty.items, []);
      assert.ok(first.id < second.id && second.id < empty.id);
      const taken = await store.rows('select DocID, BatchID, ComponentID from MSSCrawlQueue order by SeqID');
      assert.deepEqual(
        taken.map((row) => [row['DocID'], BigInt(String(row['BatchID'])), row['ComponentID']]),
        [
          [1, first.id, 0],
          [2, first.id, 0],
          [3, second.id, 7],
          [4, second.id, 7],
          [5, second.id, 7],
          [6, 0n, null],
        ],
      );
    }));

  test('MS-SQLPGAT2 3.1.5.45.1: an item has the 39 columns of the result set, from queue and history', () =>
    withFarm(async ({ store }) => {
      await store.bring({
        CrawlID: 2,
        AccessURL: page('a'),
        HostID: 4,
        CachedBlob: new Uint8Array([9]),
        SourceDocID: 3,
      });
      await store.flush(2);
      const { items } = await store.batch(2);
      const [item] = items;
      assert.equal(Object.keys(item ?? {}).length, 39);
      assert.deepEqual(
        [
          item?.['CrawlID'],
          item?.['SourceDocID'],
          item?.['HostID'],
          item?.['CachedBlob'],
          item?.['Reserved1'],
          item?.['Retry'],
        ],
        [2, 3, 4, Buffer.from([9]), null, 0],
      );
    }));

  test('MS-SQLPGAT2 3.1.1.4: the queue can be read with every attribute of its set; of security it has what the document has', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['a'], {}, { SecurityId: 'S-1' });
      const secured = {
        CrawlID: 3,
        CrawlType: 2,
        ChangeLogBatchID: 4,
        TransactionFlags: 0x2200000,
        TransactionType: 2,
      };
      await store.bring({ ...secured, AccessURL: page('a'), CachedBlob: new Uint8Array([7]) });
      await store.flush(3);
      await store.batch(3);
      assert.deepEqual(
        await store.rows(`
          select CrawlID, DocID, SourceDocID, StartAddressID, ContentSourceID, ProjectID, TransactionType, Scope, BatchID,
            ComponentID, HostDepth, EnumerationDepth, TransactionFlags, SeqID, ChangeLogBatchID, DeleteReason, CachedBlob,
            SecurityUpdateCrawlID, CachedSecurityUpdateCrawlID, SecurityID
          from MSSCrawlQueue`),
        [
          {
            ...{ CrawlID: 3, DocID: 1, SourceDocID: -1, StartAddressID: 1, ContentSourceID: 1, ProjectID: 1 },
            ...{ TransactionType: 2, Scope: 2, BatchID: '2', ComponentID: 0, HostDepth: 0, EnumerationDepth: 0 },
            ...{ TransactionFlags: 0x2000000, SeqID: '2', ChangeLogBatchID: 4, DeleteReason: null },
            ...{
              CachedBlob: Buffer.from([7]),
              SecurityUpdateCrawlID: 0,
              CachedSecurityUpdateCrawlID: 3,
              SecurityID: 'S-1',
            },
          },
        ],
      );
      assert.deepEqual(await store.rows('select count(*) as items from MSSCrawlQueue where DocID = 1'), [{ items: 1 }]);
    }));

  test('MS-SQLPGAT2 3.1.5.45: a document that is in a batch is not handed out again for another item of its', () =>
    withFarm(async ({ store }) => {
      await store.bring({ CrawlID: 2, AccessURL: page('a') });
      await store.flush(2);
      await store.commit((await store.batch(2)).items, { ErrorLevel: 2, ErrorID: 9, hrResult: 5 });
      await store.database.write((db) => db.run(sql`update crawl_history set security_update_error_id = 4`));
      await store.stage(109, { CrawlID: 3, ContentSourceID: 1 });
      assert.equal((await store.rows('select SeqID from MSSCrawlQueue')).length, 2);
      const first = await store.batch(3, { size: 1 });
      assert.deepEqual((await store.batch(3, { size: 1, component: 5 })).items, []);
      await store.commit(first.items);
      assert.deepEqual(documents((await store.batch(3, { component: 5 })).items), [1]);
    }));

  test('MS-SQLPGAT2 3.1.5.45: a disabled component is refused, a batch of nobody, and one of less than nothing', () =>
    withFarm(async ({ store }) => {
      await bring(store, 1);
      await store.flush(2);
      await assert.rejects(store.batch(2, { size: -1 }), { number: 50000 });
      const nobodys = { ComponentID: null, ProjectID: 1, CrawlID: 2, BatchSize: 5 };
      await assert.rejects(store.client.callLoosely(getNextCrawlBatch, nobodys), { number: 50000 });
      await store.stage(163, { MiscInputData: 0 });
      await assert.rejects(store.batch(2), { number: 50000 });
      assert.deepEqual((await store.batch(2, { component: 8, size: 0 })).items, []);
      assert.equal((await store.batch(2, { component: 8 })).items.length, 1, 'one that is not known is let through');
    }));

  test('MS-SQLPGAT2 3.1.5.45: in the Foundation role, whose database has both sets, a component that the administration has disabled is refused too', () =>
    withFarm(
      async ({ stage, store }) => {
        await bring(store, 1);
        await store.flush(2);
        for (const disabling of [162, 165]) {
          await stage(disabling, { MiscInputData: 0 });
          await assert.rejects(store.batch(2), { number: 50000 });
          await stage(94, { ComponentID: 0 });
        }
        assert.equal((await store.batch(2)).items.length, 1, 'one that is ready again is not');
      },
      { isFoundation: true },
    ));

  test('MS-SQLPGAT2 3.1.5.83: a batch that is given back can be handed out again; one of others only by who is known', () =>
    withFarm(async ({ store }) => {
      await bring(store, 3);
      await store.flush(2);
      const { id, items } = await store.batch(2, { size: 2 });
      const unload = (ComponentID: number, BatchID = id) =>
        store.client.call(unloadTransactions, { ComponentID, BatchID });
      await assert.rejects(unload(44), { number: 50000 });
      assert.equal((await unload(0, 999n)).status, 0);
      assert.equal((await store.batch(2)).items.length, 1);
      assert.equal((await unload(0)).status, 0);
      assert.deepEqual(documents((await store.batch(2)).items), documents(items));
      await store.stage(163, { MiscInputData: 0 });
      await assert.rejects(unload(0), { number: 50000 });
    }));

  test('MS-SQLPGAT2 3.1.5.7 stages 90, 93, 163: the items of a component that died go back, each with one try more', () =>
    withFarm(async ({ store }) => {
      await bring(store, 4);
      await store.flush(2);
      const { items } = await store.batch(2, { size: 2 });
      await store.batch(2, { size: 1, component: 5 });
      const retries = async () =>
        (await store.rows('select Retry from CrawlUrlHistory order by DocID')).map((row) => row['Retry']);
      await store.stage(163, { MiscInputData: 0 });
      assert.deepEqual(await store.rows('select * from LocalCrawlComponents'), [{ ComponentID: 0, Status: 3 }]);
      assert.deepEqual(await retries(), [1, 1, 0, 0]);
      assert.deepEqual(documents((await store.batch(2, { component: 5 })).items), [...documents(items), 4]);
      await store.commit(items, {}, 0);
      assert.equal(
        (await store.rows('select SeqID from MSSCrawlQueue')).length,
        4,
        'a disabled component commits nothing',
      );
      await store.stage(90, { ComponentID: 0, MiscInputData: 1 });
      assert.deepEqual(await store.rows('select * from LocalCrawlComponents'), [{ ComponentID: 0, Status: 1 }]);
      await store.stage(90, { ComponentID: 5, MiscInputData: 0 });
      assert.deepEqual(await retries(), [2, 2, 1, 1]);
      assert.equal((await store.batch(2)).items.length, 4);
      await store.stage(90, { ComponentID: 0, MiscInputData: 1 });
      assert.deepEqual((await store.batch(2)).items, [], 'asked to leave the queue alone');
      await store.stage(93, { ComponentID: 0 });
      assert.equal((await store.rows('select * from LocalCrawlComponents')).length, 2);
    }));

  test('MS-SQLPGAT2 3.1.5.7, 3.1.5.34: links, queue and documents are counted, and a crawl is done when nothing is left', () =>
    withFarm(async ({ store }) => {
      const counts = async (skip: number) => {
        const { output } = await store.client.rpc('proc_MSS_GetDocCount', [
          { name: 'SkipDocCount', type: TYPES.Int, value: skip },
          ...['DocCount', 'DocCountWithPendingDeletes', 'LinksInQueue', 'DocsInQueue'].map((name) => ({
            name,
            type: TYPES.Int,
            value: null,
            output: true,
          })),
        ]);
        return Object.values(output);
      };
      assert.equal((await store.stage(141, { CrawlID: 2 })).status, 11);
      await bring(store, 3);
      assert.equal((await store.stage(141, { CrawlID: 2 })).status, 4);
      assert.equal((await store.stage(151, { CrawlID: 2 })).misc, 0);
      await store.flush(2);
      assert.equal((await store.stage(151, { CrawlID: 2 })).misc, 1);
      assert.equal((await store.stage(141, { CrawlID: 2 })).status, 4);
      await store.commit((await store.batch(2, { size: 2 })).items);
      await store.stage(107, { CrawlID: 3, CrawlType: 3, ContentSourceID: 1 });
      await bring(store, 2, 4);
      assert.deepEqual(await counts(0), [0, 3, 2, 4]);
      await store.stage(115, { CrawlID: 3, ContentSourceID: 1, ProjectID: 1 });
      assert.deepEqual(await counts(0), [3, 0, 2, 1]);
      assert.deepEqual(await counts(1), [0, 0, 2, 1]);
    }));
});
