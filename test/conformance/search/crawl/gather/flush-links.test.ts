import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forEachCrawlFarm, type Store } from '../farm.ts';
import { hashOf } from '../link.ts';

const page = (name: string) => `http://host/${name}`;
const history = (store: Store, columns: string) => store.rows(`select ${columns} from CrawlUrlHistory order by DocID`);
const queue = (store: Store, columns: string) => store.rows(`select ${columns} from MSSCrawlQueue order by SeqID`);

/** Brings, takes in, hands out and commits: documents as an earlier crawl left them. */
async function crawled(store: Store, names: readonly string[], more: object = {}, CrawlID = 2): Promise<void> {
  await store.bring(...names.map((name) => ({ CrawlID, AccessURL: page(name), ...more })));
  await store.flush(CrawlID);
  const { items } = await store.batch(CrawlID, { size: 1000 });
  await store.commit(items);
}

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.1.5.14: a new link becomes a record of the history and a free item of the queue, and is gone', () =>
    withFarm(async ({ store }) => {
      await store.bring({
        CrawlID: 2,
        AccessURL: page('a'),
        SourceDocID: 77,
        SourceHostID: 4,
        HostID: 3,
        Host: 'www',
        HostDepth: 1,
        EnumerationDepth: 2,
        StartAddressID: 5,
        ContentSourceID: 6,
        TransactionFlags: 8,
        ChangeLogBatchID: 0,
        CachedBlob: new Uint8Array([1, 2]),
      });
      assert.equal(await store.flush(2), 1);
      assert.deepEqual(
        await history(
          store,
          `DocID, StartAddressID, ContentSourceID, ProjectID, CrawlID, CommitCrawlID, AccessURL, AccessHash, DisplayURL,
           TransactionFlags, HostDepth, EnumerationDepth, HostID, ParentHostID, ParentDocID, ErrorID, ErrorLevel, DeletePending`,
        ),
        [
          {
            DocID: 1,
            StartAddressID: 5,
            ContentSourceID: 6,
            ProjectID: 1,
            CrawlID: 2,
            CommitCrawlID: 0,
            AccessURL: page('a'),
            AccessHash: hashOf(page('a')),
            DisplayURL: page('a'),
            TransactionFlags: 8,
            HostDepth: 1,
            EnumerationDepth: 2,
            HostID: 3,
            ParentHostID: 4,
            ParentDocID: 77,
            ErrorID: 0,
            ErrorLevel: 0,
            DeletePending: false,
          },
        ],
      );
      const [item] = await store.rows('select * from MSSCrawlQueue');
      assert.deepEqual(
        { ...item, SeqID: Number(item?.['SeqID']), BatchID: Number(item?.['BatchID']) },
        {
          SeqID: 1,
          CrawlID: 2,
          DocID: 1,
          SourceDocID: 77,
          StartAddressID: 5,
          ContentSourceID: 6,
          ProjectID: 1,
          TransactionType: 2,
          Scope: 2,
          TransactionFlags: 8,
          BatchID: 0,
          ComponentID: null,
          HostDepth: 1,
          EnumerationDepth: 2,
          ChangeLogBatchID: 0,
          DeleteReason: null,
          CachedBlob: Buffer.from([1, 2]),
          SecurityUpdateCrawlID: 0,
          CachedSecurityUpdateCrawlID: 0,
          SecurityID: null,
          ErrorID: null,
          ErrorLevel: null,
        },
      );
      assert.deepEqual(await store.rows('select HostID, HostName, SuccessCount from CrawledHosts'), [
        { HostID: 3, HostName: 'www', SuccessCount: 0 },
      ]);
      assert.deepEqual(await store.rows('select LinkID from MSSTranTempTable0'), []);
    }));

  test('MS-SQLPGAT2 3.1.5.14: a component that is unknown or disabled gets 0, and nothing is changed', () =>
    withFarm(async ({ store }) => {
      await store.bring({ CrawlID: 2, AccessURL: page('a') });
      assert.equal((await store.flushOnce(2, { ComponentID: 9 })).status, 0);
      await store.stage(163, { MiscInputData: 0 });
      assert.equal((await store.flushOnce(2)).status, 0);
      assert.equal((await store.rows('select LinkID from MSSTranTempTable0')).length, 1);
      await store.stage(90, { ComponentID: 0, MiscInputData: 1 });
      assert.equal(await store.flush(2), 1);
    }));

  test('MS-SQLPGAT2 3.1.5.14: without identifiers 2 and the greatest one are returned, and nothing is changed', () =>
    withFarm(async ({ store }) => {
      await store.bring({ CrawlID: 2, AccessURL: page('a') }, { CrawlID: 2, AccessURL: page('b') });
      const first = await store.flushOnce(2);
      assert.deepEqual([first.status, first.output['MaxDocID']], [2, 0]);
      assert.deepEqual([first.output['LinksProcessed'], first.output['MoreLinks']], [0, false], 'none was processed');
      assert.deepEqual(await history(store, 'DocID'), []);
      assert.deepEqual(await store.rows('select * from CrawledHosts'), []);
      const small = await store.flushOnce(2, { NextDocID: 10, MaxDocID: 10 });
      assert.deepEqual([small.status, small.output['MaxDocID']], [2, 0]);
      assert.deepEqual(await store.rows('select * from CurrentDocIDChunk'), [], 'not even the interval is kept');
      assert.equal((await store.flushOnce(2, { NextDocID: 10, MaxDocID: 12 })).status, 1);
      assert.deepEqual(await history(store, 'DocID'), [{ DocID: 10 }, { DocID: 11 }]);
      assert.deepEqual(await store.rows('select * from CurrentDocIDChunk'), [{ FirstDocID: 12, LastDocID: 12 }]);
    }));

  test('MS-SQLPGAT2 3.1.1.18, 3.1.5.14: an interval that ends at 2147483647 is gone once it is used up', () =>
    withFarm(async ({ store }) => {
      const last = 0x7fffffff;
      await store.bring({ CrawlID: 2, AccessURL: page('a') });
      assert.equal((await store.flushOnce(2, { NextDocID: last - 1, MaxDocID: last })).status, 1);
      assert.deepEqual(await store.rows('select * from CurrentDocIDChunk'), [{ FirstDocID: last, LastDocID: last }]);
      await store.bring({ CrawlID: 2, AccessURL: page('b') });
      assert.equal((await store.flushOnce(2)).status, 1);
      assert.deepEqual(await history(store, 'DocID'), [{ DocID: last - 1 }, { DocID: last }]);
      assert.deepEqual(await store.rows('select * from CurrentDocIDChunk'), []);
      await store.bring({ CrawlID: 2, AccessURL: page('c') });
      const out = await store.flushOnce(2);
      assert.deepEqual([out.status, out.output['MaxDocID']], [2, last]);
    }));

  test('MS-SQLPGAT2 3.1.5.14, 3.1.5.47: an interval that is handed out again is used up, identifiers in use are skipped', () =>
    withFarm(async ({ store }) => {
      await store.bring({ CrawlID: 2, AccessURL: page('a') });
      assert.equal((await store.flushOnce(2, { NextDocID: 1, MaxDocID: 3 })).status, 1);
      await store.bring(...['b', 'c', 'd', 'e'].map((name) => ({ CrawlID: 2, AccessURL: page(name) })));
      assert.equal((await store.flushOnce(2)).status, 2);
      const again = await store.flushOnce(2, { NextDocID: 1, MaxDocID: 3 });
      assert.deepEqual([again.status, again.output['LinksProcessed'], again.output['MoreLinks']], [1, 2, true]);
      assert.deepEqual(await history(store, 'DocID'), [{ DocID: 1 }, { DocID: 2 }, { DocID: 3 }]);
      const out = await store.flushOnce(2);
      assert.deepEqual([out.status, out.output['MaxDocID']], [2, 3]);
      assert.equal((await store.flushOnce(2, { NextDocID: 100, MaxDocID: 200 })).status, 1);
      assert.equal((await history(store, 'DocID')).length, 5);
    }));

  test('MS-SQLPGAT2 3.1.5.14, 3.1.5.47: the identifier of a deleted document counts as the greatest while an item of it is in a batch', () =>
    withFarm(async ({ store }) => {
      const interval = { NextDocID: 1, MaxDocID: 2 };
      await store.bring(...['a', 'b'].map((name) => ({ CrawlID: 2, AccessURL: page(name) })));
      assert.equal((await store.flushOnce(2, interval)).status, 1);
      await store.stage(145, { CrawlID: 2, CrawlType: 1, ContentSourceID: 1 });
      const { items } = await store.batch(2);
      await store.commit(items.filter((item) => item['DocID'] === 2 && item['TransactionType'] === 1));
      await store.bring({ CrawlID: 2, AccessURL: page('c') });
      const out = await store.flushOnce(2, interval);
      assert.deepEqual([out.status, out.output['MaxDocID']], [2, 2], 'the interval is not handed out again');
    }));

  test('MS-SQLPGAT2 3.1.5.14: identifiers of deleted documents are given out first', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['a', 'b', 'c']);
      await store.stage(107, { CrawlID: 3, CrawlType: 3, ContentSourceID: 1 });
      const { items } = await store.batch(3);
      await store.commit(items.filter((item) => item['DocID'] !== 3));
      await store.bring(...['x', 'y', 'z'].map((name) => ({ CrawlID: 4, AccessURL: page(name) })));
      await store.flush(4);
      assert.deepEqual(
        (await history(store, 'DocID, AccessURL')).map((row) => [row['DocID'], row['AccessURL']]),
        [
          [1, page('x')],
          [2, page('y')],
          [3, page('c')],
          [4, page('z')],
        ],
      );
    }));

  test('MS-SQLPGAT2 3.1.5.14: at most 1000 links of the crawl are taken in, and MoreLinks says that there may be more', () =>
    withFarm(async ({ store }) => {
      await store.bring(...Array.from({ length: 1001 }, (_, at) => ({ CrawlID: 2, AccessURL: page(`${at}`) })), {
        CrawlID: 3,
        AccessURL: page('other'),
      });
      const answer = await store.flushOnce(2, { NextDocID: 1, MaxDocID: 5000 });
      assert.deepEqual([answer.output['LinksProcessed'], answer.output['MoreLinks']], [1000, true]);
      const rest = await store.flushOnce(2);
      assert.deepEqual([rest.output['LinksProcessed'], rest.output['MoreLinks']], [1, false]);
      assert.equal((await store.rows('select LinkID from MSSTranTempTable0')).length, 1);
    }));

  test('MS-SQLPGAT2 3.1.5.14: links between those of other crawls, known ones and new ones each get what is theirs', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['known'], { StartAddressID: 1 });
      const link = (CrawlID: number, name: string, at: number) => ({
        CrawlID,
        AccessURL: page(name),
        StartAddressID: name === 'known' ? 1 : at,
        HostDepth: at,
        CachedBlob: new Uint8Array([at]),
      });
      const brought = [link(3, 'a', 11), link(3, 'b', 12), link(4, 'x', 13), link(3, 'known', 14), link(3, 'c', 15)];
      await store.bring(...brought, link(3, 'd', 16));
      assert.equal(await store.flush(3), 5);
      assert.deepEqual((await history(store, 'DocID, AccessURL, HostDepth')).slice(1), [
        { DocID: 2, AccessURL: page('a'), HostDepth: 11 },
        { DocID: 3, AccessURL: page('b'), HostDepth: 12 },
        { DocID: 4, AccessURL: page('c'), HostDepth: 15 },
        { DocID: 5, AccessURL: page('d'), HostDepth: 16 },
      ]);
      assert.deepEqual(
        await queue(store, 'DocID, HostDepth, CachedBlob'),
        [
          [2, 11],
          [3, 12],
          [1, 14],
          [4, 15],
          [5, 16],
        ].map(([DocID, at = 0]) => ({ DocID, HostDepth: at, CachedBlob: Buffer.from([at]) })),
      );
    }));

  test('MS-SQLPGAT2 3.1.5.14: links to one URL, whatever the case of its letters, are one document', () =>
    withFarm(async ({ store }) => {
      await store.bring(
        { CrawlID: 2, AccessURL: page('a') },
        { CrawlID: 2, AccessURL: page('A') },
        { CrawlID: 2, AccessURL: page('b'), AccessHash: hashOf(page('a')) },
      );
      await store.flush(2);
      assert.deepEqual(await history(store, 'AccessURL'), [{ AccessURL: page('b') }, { AccessURL: page('a') }]);
      assert.equal((await queue(store, 'SeqID')).length, 2);
      await store.bring({ CrawlID: 2, AccessURL: page('a') });
      await store.flush(2);
      assert.equal((await queue(store, 'SeqID')).length, 2, 'nor when the crawl meets it again');
    }));

  test('MS-SQLPGAT2 3.1.5.14: a full crawl queues what it knows again, with the document that it is', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['a', 'b']);
      await store.bring(
        { CrawlID: 3, AccessURL: page('a'), ItemType: 1, Scope: 1 },
        { CrawlID: 3, AccessURL: page('b'), StartAddressID: 9, HostID: 2 },
      );
      await store.flush(3);
      assert.deepEqual(await queue(store, 'CrawlID, DocID, TransactionType, Scope'), [
        { CrawlID: 3, DocID: 1, TransactionType: 2, Scope: 1 },
        { CrawlID: 3, DocID: 2, TransactionType: 2, Scope: 2 },
      ]);
      assert.deepEqual(await history(store, 'CrawlID, StartAddressID'), [
        { CrawlID: 3, StartAddressID: 1 },
        { CrawlID: 3, StartAddressID: 9 },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.14: a link from another host does not take a document over from its start address', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['a']);
      const elsewhere = { CrawlID: 3, AccessURL: page('a'), StartAddressID: 9, SourceDocID: 5 };
      await store.bring({ ...elsewhere, HostID: 1, SourceHostID: 2 });
      await store.bring({ ...elsewhere, ProtocolSwitch: 1, SourceHostHop: 1 });
      await store.flush(3);
      assert.deepEqual(await queue(store, 'DocID'), []);
      await store.bring({ ...elsewhere, ProtocolSwitch: 1, SourceHostHop: 1, SourceIsStartAddress: 1 });
      await store.flush(3);
      assert.deepEqual(await history(store, 'CrawlID, StartAddressID, ParentDocID'), [
        { CrawlID: 3, StartAddressID: 9, ParentDocID: 5 },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.14: an incremental crawl drops known start addresses and commits files that were not modified', () =>
    withFarm(async ({ store }) => {
      await store.bring({ CrawlID: 2, AccessURL: page(''), ItemType: 1 });
      await store.flush(2);
      await store.commit((await store.batch(2)).items);
      await store.bring({ CrawlID: 2, AccessURL: page('a'), TransactionFlags: 0x200 });
      await store.flush(2);
      await store.commit((await store.batch(2)).items, { LastModifiedTime: 130000000000000001n });
      const incremental = { CrawlID: 3, CrawlType: 2 };
      await store.bring(
        { ...incremental, AccessURL: page(''), ItemType: 1 },
        { ...incremental, AccessURL: page('a'), TransactionFlags: 0x200, LastModifiedTime: 130000000000000001n },
      );
      await store.flush(3);
      assert.deepEqual(await queue(store, 'DocID'), []);
      assert.deepEqual(await history(store, 'CrawlID, CommitCrawlID, ErrorID, ErrorLevel'), [
        { CrawlID: 2, CommitCrawlID: 2, ErrorID: 0, ErrorLevel: 0 },
        { CrawlID: 3, CommitCrawlID: 3, ErrorID: 1, ErrorLevel: 0 },
      ]);
      const changed = { CrawlID: 4, CrawlType: 2, AccessURL: page('a'), TransactionFlags: 0x200 };
      await store.bring({ ...changed, LastModifiedTime: 130000000000000002n });
      await store.flush(4);
      assert.deepEqual(await queue(store, 'DocID'), [{ DocID: 2 }], 'one that was modified is queued');
      const never = { AccessURL: page('never crawled'), TransactionFlags: 0x200, LastModifiedTime: null };
      await store.bring({ ...never, CrawlID: 4, CrawlType: 2 });
      await store.flush(4);
      await store.bring({ ...never, CrawlID: 5, CrawlType: 2 });
      await store.flush(5);
      assert.deepEqual(
        await queue(store, 'CrawlID, DocID'),
        [2, 3, 3].map((DocID, at) => ({ CrawlID: at === 2 ? 5 : 4, DocID })),
        'times that nobody knows are not equal',
      );
    }));

  test('MS-SQLPGAT2 3.1.5.14: a change of security is queued once a crawl, and the document loses its security identifier', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['a']);
      const link = { CrawlID: 3, CrawlType: 2, AccessURL: page('a'), UseChangeLog: 1, ChangeLogBatchID: 4 };
      await store.bring({ ...link, TransactionFlags: 0x2000000, TransactionType: 2 });
      await store.flush(3);
      await store.bring({ ...link, TransactionFlags: 0x2200000, TransactionType: 2 });
      await store.flush(3);
      assert.deepEqual(await queue(store, 'DocID, TransactionFlags, ChangeLogBatchID, Scope'), [
        { DocID: 1, TransactionFlags: 0x2000000, ChangeLogBatchID: 4, Scope: 2 },
      ]);
      assert.deepEqual(await history(store, 'SecurityUpdateCrawlID, SecurityID'), [
        { SecurityUpdateCrawlID: 3, SecurityID: null },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.14: the change log deletes a document that the same crawl has met, once', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['met']);
      await store.stage(109, { CrawlID: 3, ContentSourceID: 1 });
      const entry = { CrawlID: 3, CrawlType: 2, UseChangeLog: 1, ParentProcessChangeLog: 1, ChangeLogBatchID: 1 };
      for (let time = 0; time < 2; time++) {
        await store.bring({ ...entry, AccessURL: page('met'), TransactionType: 1 });
        await store.flush(3);
      }
      assert.deepEqual(await queue(store, 'CrawlID, DocID, TransactionType, DeleteReason'), [
        { CrawlID: 3, DocID: 1, TransactionType: 2, DeleteReason: null },
        { CrawlID: 3, DocID: 1, TransactionType: 1, DeleteReason: 8 },
      ]);
      assert.deepEqual(await history(store, 'DeletePending'), [{ DeletePending: true }]);
    }));

  test('MS-SQLPGAT2 3.1.5.14: the change log deletes a document that has a later crawl, where the link is shallow', () =>
    withFarm(async ({ store }) => {
      await store.bring({ CrawlID: 5, AccessURL: page('a') });
      await store.flush(5);
      const entry = { CrawlType: 2, UseChangeLog: 1, ParentProcessChangeLog: 1, ChangeLogBatchID: 1 };
      await store.bring({ ...entry, CrawlID: 3, AccessURL: page('a'), TransactionType: 1, ItemType: 4 });
      await store.flush(3);
      assert.deepEqual(await queue(store, 'CrawlID, DocID, TransactionType, Scope, DeleteReason'), [
        { CrawlID: 5, DocID: 1, TransactionType: 2, Scope: 2, DeleteReason: null },
        { CrawlID: 3, DocID: 1, TransactionType: 1, Scope: 2, DeleteReason: 8 },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.14: the change log deletes, renames and updates documents', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['a', 'b', 'c']);
      const named = (CompactURL: string) => ({ CompactURL, CompactHash: hashOf(CompactURL) });
      await crawled(store, ['d'], named('host/d'));
      const entry = { CrawlID: 3, CrawlType: 2, UseChangeLog: 1, ParentProcessChangeLog: 1, ChangeLogBatchID: 1 };
      await store.bring(
        { ...entry, AccessURL: page('a'), TransactionType: 1 },
        { ...entry, AccessURL: page('unknown'), TransactionType: 1 },
        { ...entry, AccessURL: page('c'), TransactionType: 2 },
        { ...entry, ...named(page('b')), AccessURL: page('moved'), TransactionType: 3 },
        { ...entry, ...named('host/d'), AccessURL: page('moved too'), TransactionType: 3 },
      );
      await store.flush(3);
      assert.deepEqual(await queue(store, 'DocID, TransactionType, DeleteReason'), [
        { DocID: 1, TransactionType: 1, DeleteReason: 8 },
        { DocID: 3, TransactionType: 2, DeleteReason: null },
        { DocID: 2, TransactionType: 1, DeleteReason: 8 },
        { DocID: 5, TransactionType: 2, DeleteReason: null },
        { DocID: 4, TransactionType: 1, DeleteReason: 8 },
        { DocID: 6, TransactionType: 2, DeleteReason: null },
      ]);
      assert.deepEqual(await history(store, 'DocID, AccessURL, DeletePending'), [
        { DocID: 1, AccessURL: page('a'), DeletePending: true },
        { DocID: 2, AccessURL: page('b'), DeletePending: true },
        { DocID: 3, AccessURL: page('c'), DeletePending: false },
        { DocID: 4, AccessURL: page('d'), DeletePending: true },
        { DocID: 5, AccessURL: page('moved'), DeletePending: false },
        { DocID: 6, AccessURL: page('moved too'), DeletePending: false },
      ]);
    }));
});
