import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../../src/engine/sql.ts';
import { processCommitted } from '../../../../../src/protocols/search/gather/process-committed.ts';
import type { ResultRow } from '../../../../support/client.ts';
import { forEachCrawlFarm, recordOf, type Store, type TransactionRecord } from '../farm.ts';

const page = (name: string) => `http://host/${name}`;
const hour = 3_600_000;
const denied = 0x80041205 | 0;
const failed = { ErrorLevel: 2, ErrorID: 9, hrResult: 0x80004005 | 0, ErrorDesc: 'broken' };
const history = (store: Store, columns: string, where = '') =>
  store.rows(`select ${columns} from CrawlUrlHistory ${where} order by DocID`);
const queue = (store: Store, columns: string) => store.rows(`select ${columns} from MSSCrawlQueue order by SeqID`);

/** New links of a crawl, handed out. */
async function taken(store: Store, names: readonly string[], more: object = {}, CrawlID = 2) {
  await store.bring(...names.map((name) => ({ CrawlID, AccessURL: page(name), ...more })));
  await store.flush(CrawlID);
  return (await store.batch(CrawlID, { size: 1000 })).items;
}

/** The same document once more, as the next crawl meets it. */
async function again(store: Store, name: string, CrawlID: number, more: object = {}) {
  return taken(store, [name], more, CrawlID);
}

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.1.5.66: what begins with anchor: is deleted once it was crawled; a page that has the word in its URL stays', () =>
    withFarm(async ({ store }) => {
      await store.bring({ CrawlID: 2, AccessURL: 'Anchor:1' }, { CrawlID: 2, AccessURL: page('anchor:1') });
      await store.flush(2);
      await store.commit((await store.batch(2)).items);
      assert.deepEqual(await history(store, 'AccessURL, DeletePending'), [
        { AccessURL: 'Anchor:1', DeletePending: true },
        { AccessURL: page('anchor:1'), DeletePending: false },
      ]);
      assert.deepEqual(await queue(store, 'DocID, TransactionType'), [{ DocID: 1, TransactionType: 1 }]);
      assert.deepEqual(await store.rows('select DocID from ChangedAnchorCommittedDocuments'), [{ DocID: 2 }]);
    }));

  test('MS-SQLPGAT2 3.1.5.66: a success is written into the history, leaves the queue, and is noted for the anchors', () =>
    withFarm(async ({ store, clock }) => {
      const items = await taken(store, ['a']);
      await store.commit(items, {
        DisplayURL: page('shown'),
        Title: 'A title',
        MD5: 11,
        PropMD5: 12,
        DocPropsMD5: 0x7fffffffffffn,
        DocPropsBlob: new Uint8Array([1, 2, 3]),
        SecurityId: 'S-1',
        LastModifiedTime: 130000000000000003n,
        LinksBitmap: 3,
        LogLevel: 1,
        TransactionFlags: 8,
      });
      assert.deepEqual(await queue(store, 'SeqID'), []);
      const [row] = await history(
        store,
        `CrawlID, CommitCrawlID, CrawlScope, DisplayURL, Title, MD5, PropMD5, DocPropsBlob, SecurityID, LinksBitmap,
         LogLevel, TransactionFlags, IndexType, ErrorCount, LastTouchStart, FirstErrorTime`,
      );
      assert.deepEqual(row, {
        CrawlID: 2,
        CommitCrawlID: 2,
        CrawlScope: 2,
        DisplayURL: page('shown'),
        Title: 'A title',
        MD5: 11,
        PropMD5: 12,
        DocPropsBlob: Buffer.from([1, 2, 3]),
        SecurityID: 'S-1',
        LinksBitmap: 3,
        LogLevel: 1,
        TransactionFlags: 8,
        IndexType: 1,
        ErrorCount: 0,
        LastTouchStart: clock.now(),
        FirstErrorTime: null,
      });
      assert.deepEqual(await store.rows('select * from ChangedAnchorCommittedDocuments'), [{ CrawlID: 2, DocID: 1 }]);
    }));

  test('MS-SQLPGAT2 3.1.5.66: proc_MSS_ProcessCommitted does for one item what the packed records do for many', () =>
    withFarm(async ({ store }) => {
      const [item] = await taken(store, ['a']);
      const { placeHolder, UseSecurityInfo, MarkDelete, ...record } = recordOf(item as ResultRow) as TransactionRecord &
        Record<string, unknown>;
      assert.ok(placeHolder === undefined && UseSecurityInfo === 0 && MarkDelete === 0);
      const answer = await store.client.call(processCommitted, {
        ...record,
        MarkDelete: false,
        FolderDelCount: 0,
        ApplicationType: 0,
      });
      assert.deepEqual([answer.status, answer.sets], [0, []]);
      assert.deepEqual(await queue(store, 'SeqID'), []);
      assert.deepEqual(await history(store, 'CommitCrawlID, Title'), [{ CommitCrawlID: 2, Title: 'Title' }]);
    }));

  test('MS-SQLPGAT2 3.1.5.66: what is reported as NULL is stored as NULL, and is no time at which a file was last modified', () =>
    withFarm(async ({ store }) => {
      const [item] = await taken(store, ['a']);
      const { UseSecurityInfo, MarkDelete, ...record } = recordOf(item as ResultRow);
      const unknown = {
        LastModifiedTime: null,
        EndPathFlag: null,
        PropMD5: null,
        MD5: null,
        FolderDelCount: null,
        HostDepth: null,
        EnumerationDepth: null,
        IndexType: null,
        DocPropsMD5: null,
        LinksBitmap: null,
        TitleLCID: null,
        PHFlags: null,
        ProtocolLength: null,
        ErrorSource: null,
      };
      await store.client.call(processCommitted, { ...record, ...unknown, MarkDelete: false, ApplicationType: 0 });
      assert.deepEqual(await history(store, `CommitCrawlID, ${Object.keys(unknown).join(', ')}`), [
        { CommitCrawlID: 2, ...unknown },
      ]);
      const found = { CrawlType: 2, TransactionFlags: 0x200, LastModifiedTime: 0n };
      await store.bring({ CrawlID: 3, AccessURL: 'a', ...found });
      await store.flush(3);
      assert.deepEqual(await queue(store, 'CrawlID'), [{ CrawlID: 3 }], 'the file is crawled again');
    }));

  test('MS-SQLPGAT2 3.1.5.66: an item that is to be tried again is free, or gone where an equal one waits', () =>
    withFarm(async ({ store }) => {
      const items = await taken(store, ['a']);
      await store.commit(items, { TransactionStatus: 3, RetryCount: 4, DelayRetryCount: 5, TransactionFlags: 16 });
      assert.deepEqual(await history(store, 'RetryCount, DelayRetryCount, CommitCrawlID'), [
        { RetryCount: 4, DelayRetryCount: 5, CommitCrawlID: 0 },
      ]);
      const [freed] = await queue(store, 'SeqID, BatchID, TransactionFlags');
      assert.deepEqual([Number(freed?.['BatchID']), freed?.['TransactionFlags']], [0, 16]);
      await store.commit((await store.batch(2)).items);
      await store.stage(109, { CrawlID: 3, ContentSourceID: 1 });
      const { items: queued } = await store.batch(3);
      await store.commit(queued, { TransactionStatus: 7 });
      assert.equal((await queue(store, 'SeqID')).length, 1, 'another status changes nothing');
      await store.database.write((db) =>
        db.run(sql`
          insert into crawl_queue (crawl_id, doc_id, transaction_type, scope, transaction_flags)
          select crawl_id, doc_id, transaction_type, scope, transaction_flags from crawl_queue`),
      );
      await store.commit(queued, { TransactionStatus: 3 });
      const left = await queue(store, 'SeqID, BatchID');
      assert.deepEqual([left.length, Number(left[0]?.['BatchID'])], [1, 0]);
      assert.notEqual(String(left[0]?.['SeqID']), String(queued[0]?.['SeqID']));
    }));

  test('MS-SQLPGAT2 3.1.5.66: an error is counted, with when it first came, and reported when it is half-way to a deletion', () =>
    withFarm(async ({ store, clock }) => {
      const first = clock.now();
      await store.commit(await taken(store, ['a']), failed);
      for (let crawl = 3; crawl < 6; crawl++) {
        clock.advance(hour);
        await store.commit(await again(store, 'a', crawl), failed);
      }
      assert.deepEqual(
        await history(store, 'ErrorCount, FirstErrorTime, ErrorID, ErrorLevel, ErrorDesc, CommitCrawlID'),
        [{ ErrorCount: 4, FirstErrorTime: first, ErrorID: 9, ErrorLevel: 2, ErrorDesc: 'broken', CommitCrawlID: 5 }],
      );
      assert.deepEqual(
        await store.rows('select CrawlID, DocID, ErrorID, ErrorCount, ChildrenCount from ReportedCrawlError'),
        [{ CrawlID: 5, DocID: 1, ErrorID: 9, ErrorCount: 3, ChildrenCount: 0 }],
      );
      assert.equal((await store.stage(153, { CrawlID: 5 })).misc, 1);
      assert.equal((await store.stage(155, { CrawlID: 5 })).misc, 0);
      await store.commit(await again(store, 'a', 6));
      assert.deepEqual(await history(store, 'ErrorCount, FirstErrorTime, ErrorLevel'), [
        { ErrorCount: 0, FirstErrorTime: null, ErrorLevel: 0 },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.66: an item is deleted after more errors than allowed over more hours than allowed', () =>
    withFarm(async ({ store, clock }) => {
      await store.commit(await taken(store, ['a']), failed);
      for (let crawl = 3; crawl < 8; crawl++) await store.commit(await again(store, 'a', crawl), failed);
      assert.deepEqual(await history(store, 'ErrorCount, DeletePending'), [{ ErrorCount: 6, DeletePending: false }]);
      await store.commit(await again(store, 'a', 8), failed);
      assert.deepEqual(await history(store, 'DeletePending'), [{ DeletePending: false }], 'not within the hours');
      clock.advance(24 * hour + 1000);
      await store.commit(await again(store, 'a', 9), failed);
      assert.deepEqual(await queue(store, 'DocID, CrawlID, TransactionType, Scope, DeleteReason, ErrorID'), [
        { DocID: 1, CrawlID: 9, TransactionType: 1, Scope: 2, DeleteReason: 1, ErrorID: 9 },
      ]);
      assert.deepEqual(await history(store, 'DeletePending, ErrorID'), [{ DeletePending: true, ErrorID: 9 }]);
      await store.commit((await store.batch(9)).items);
      assert.deepEqual(await history(store, 'DocID'), []);
      assert.deepEqual(await store.rows('select AccessURL from DeletedUrl'), [{ AccessURL: page('a') }]);
    }));

  test('MS-SQLPGAT2 3.1.5.66: Access Denied deletes a document that was there only after some times and hours', () =>
    withFarm(async ({ store, clock }) => {
      const gone = { ...failed, hrResult: denied, MarkDelete: 1 };
      await store.commit(await taken(store, ['new']), gone);
      assert.deepEqual(
        await history(store, 'DeletePending'),
        [{ DeletePending: true }],
        'one that never was there at once',
      );
      await store.commit((await store.batch(2)).items);
      await store.commit(await taken(store, ['with the same identifier']), gone);
      await store.commit((await store.batch(2)).items);
      assert.deepEqual(await store.rows('select * from CrawlDeletions'), [{ CrawlID: 2, Documents: 2 }]);
      await store.commit(await taken(store, ['a']));
      for (let crawl = 3; crawl < 6; crawl++) await store.commit(await again(store, 'a', crawl), gone);
      assert.deepEqual(await history(store, 'DeletePending, ErrorDeleteCount, ErrorCount, FirstErrorDeleteTime'), [
        { DeletePending: false, ErrorDeleteCount: 3, ErrorCount: 3, FirstErrorDeleteTime: clock.now() },
      ]);
      await store.commit(await again(store, 'a', 6), gone);
      assert.deepEqual(await history(store, 'DeletePending'), [{ DeletePending: false }], 'too soon');
      clock.advance(24 * hour + 1000);
      await store.commit(await again(store, 'a', 7), gone);
      assert.deepEqual(await history(store, 'DeletePending'), [{ DeletePending: true }]);
    }));

  test('MS-SQLPGAT2 3.1.5.66: a late commit of a document that is gone, or is to be deleted, only leaves the queue', () =>
    withFarm(async ({ store }) => {
      const items = await taken(store, ['a', 'b']);
      await store.stage(107, { CrawlID: 3, CrawlType: 3, ContentSourceID: 1 });
      await store.commit(items.slice(0, 1), { MD5: 99 });
      assert.deepEqual(await history(store, 'CommitCrawlID, MD5'), [
        { CommitCrawlID: 0, MD5: null },
        { CommitCrawlID: 0, MD5: null },
      ]);
      const deletions = (await store.batch(3)).items;
      assert.deepEqual(
        deletions.map((item) => item['DocID']),
        [1],
        'the other one is in a batch',
      );
      await store.commit(items.slice(1));
      await store.commit(deletions);
      await store.commit((await store.batch(3)).items);
      assert.deepEqual(await history(store, 'DocID'), []);
      await store.commit(deletions);
      assert.deepEqual(await queue(store, 'SeqID'), []);
    }));

  test('MS-SQLPGAT2 3.1.5.66: with a folder go the items that were found in it, folder by folder', () =>
    withFarm(async ({ store }) => {
      const folder = { TransactionFlags: 0x4 };
      const [top] = await taken(store, ['folder'], folder);
      await store.commit([top as ResultRow], folder);
      const inside = { SourceDocID: Number(top?.['DocID']) };
      await store.commit(await taken(store, ['f1', 'f2'], { ...inside, TransactionFlags: 0x200 }));
      await store.commit(await taken(store, ['linked'], inside));
      await store.bring({ CrawlID: 3, AccessURL: page('folder'), hrResult: 0x80040d07 | 0, TransactionFlags: 0x4 });
      await store.flush(3);
      await store.commit((await store.batch(3)).items);
      assert.deepEqual(await queue(store, 'DocID, TransactionType, DeleteReason, Scope'), [
        { DocID: 2, TransactionType: 1, DeleteReason: 6, Scope: 2 },
        { DocID: 3, TransactionType: 1, DeleteReason: 6, Scope: 2 },
      ]);
      assert.deepEqual(await history(store, 'DocID, ParentDocID, DeletePending'), [
        { DocID: 2, ParentDocID: 0, DeletePending: true },
        { DocID: 3, ParentDocID: 0, DeletePending: true },
        { DocID: 4, ParentDocID: 0, DeletePending: false },
      ]);
      await store.commit((await store.batch(3)).items);
      assert.equal((await history(store, 'DocID')).length, 1);
    }));

  test('MS-SQLPGAT2 3.1.5.66: a folder that was read waits for its children to be seen again; stage 145 deletes the others', () =>
    withFarm(async ({ store }) => {
      const folder = { TransactionFlags: 0x4 };
      const [top] = await taken(store, ['folder'], folder);
      await store.commit([top as ResultRow], folder);
      const inside = { SourceDocID: Number(top?.['DocID']), TransactionFlags: 0x200 };
      await store.commit(await taken(store, ['seen', 'lost'], inside), { TransactionFlags: 0x200 });
      await store.stage(109, { CrawlID: 3, ContentSourceID: 1 });
      await store.commit((await store.batch(3)).items, { CrawlType: 2, TransactionFlags: 0x4 });
      assert.deepEqual(await history(store, 'ParentUpdateCrawlID'), [
        { ParentUpdateCrawlID: 0 },
        { ParentUpdateCrawlID: 3 },
        { ParentUpdateCrawlID: 3 },
      ]);
      await store.commit(await taken(store, ['seen'], { ...inside, CrawlType: 2 }, 3), { TransactionFlags: 0x200 });
      assert.equal((await store.stage(145, { CrawlID: 3, CrawlType: 2, ContentSourceID: 1 })).misc, 1);
      assert.deepEqual(await queue(store, 'DocID, TransactionType, DeleteReason, Scope'), [
        { DocID: 3, TransactionType: 1, DeleteReason: 4, Scope: 1 },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.66: a change of a folder’s security goes on to its children, once a crawl', () =>
    withFarm(async ({ store }) => {
      const log = { UseChangeLog: 1, ChangeLogCookie: new Uint8Array([1]), ChangeLogCookieType: 1 };
      const [top] = await taken(store, ['folder'], { TransactionFlags: 0x4 });
      await store.commit([top as ResultRow], { TransactionFlags: 0x4, ...log });
      const inside = { SourceDocID: 1, TransactionFlags: 0x200 };
      await store.commit(await taken(store, ['a', 'b'], inside), {
        TransactionFlags: 0x200,
        ...log,
        SecurityId: 'S-1',
      });
      const secured = {
        CrawlType: 2,
        TransactionFlags: 0x2000004,
        ...log,
        ChildSecurityBlob: new Uint8Array([7]),
        ChangeLogBatchID: 3,
      };
      await store.bring({
        CrawlID: 3,
        CrawlType: 2,
        AccessURL: page('folder'),
        TransactionFlags: 0x2000004,
        TransactionType: 2,
        ChangeLogBatchID: 3,
      });
      await store.flush(3);
      await store.commit((await store.batch(3)).items, secured);
      assert.deepEqual(await queue(store, 'DocID, TransactionFlags, ChangeLogBatchID, CachedBlob, SourceDocID'), [
        { DocID: 2, TransactionFlags: 0x2000200, ChangeLogBatchID: 3, CachedBlob: Buffer.from([7]), SourceDocID: 1 },
        { DocID: 3, TransactionFlags: 0x2000200, ChangeLogBatchID: 3, CachedBlob: Buffer.from([7]), SourceDocID: 1 },
      ]);
      assert.deepEqual(await history(store, 'SecurityUpdateCrawlID, SecurityID', 'where DocID > 1'), [
        { SecurityUpdateCrawlID: 3, SecurityID: null },
        { SecurityUpdateCrawlID: 3, SecurityID: null },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.66: a change log with more to read keeps its cookie and frees the item', () =>
    withFarm(async ({ store }) => {
      const items = await taken(store, ['a'], { CrawlType: 2 });
      const log = { UseChangeLog: 1, CrawlType: 2, ChangeLogCookie: new Uint8Array([1]), ChangeLogCookieType: 2 };
      await store.commit(items, { ...log, ChangeLogCookieEnd: new Uint8Array([9]) });
      assert.deepEqual(
        await history(store, 'ChangeLogCookie, ChangeLogCookieType, ChangeLogCookieEnd, CommitCrawlID'),
        [
          {
            ChangeLogCookie: Buffer.from([1]),
            ChangeLogCookieType: 2,
            ChangeLogCookieEnd: Buffer.from([9]),
            CommitCrawlID: 0,
          },
        ],
      );
      const { items: rest } = await store.batch(2);
      assert.deepEqual(rest[0]?.['ChangeLogCookie'], Buffer.from([1]));
      await store.commit(rest, log);
      assert.deepEqual(await history(store, 'ChangeLogCookieEnd, CommitCrawlID'), [
        { ChangeLogCookieEnd: null, CommitCrawlID: 2 },
      ]);
      assert.deepEqual(await queue(store, 'SeqID'), []);
    }));

  test('MS-SQLPGAT2 3.1.5.66: a change log that is too old is given up after errors, and its item crawled as a whole', () =>
    withFarm(async ({ store }) => {
      const log = { UseChangeLog: 1, CrawlType: 2, ChangeLogCookie: new Uint8Array([1]), ChangeLogCookieType: 2 };
      await store.commit(await taken(store, ['a'], { CrawlType: 2 }), log);
      const tooOld = { ...log, ErrorLevel: 2, ErrorID: 5, hrResult: 0x810200bc | 0, RecrawlErrorCount: 1 };
      for (let crawl = 3; crawl < 6; crawl++) {
        await store.stage(109, { CrawlID: crawl, ContentSourceID: 1 });
        await store.commit((await store.batch(crawl)).items, tooOld);
      }
      assert.deepEqual(await history(store, 'ChangeLogCookie, ChangeLogCookieType'), [
        { ChangeLogCookie: null, ChangeLogCookieType: null },
      ]);
      assert.deepEqual(await queue(store, 'CrawlID, DocID, TransactionType, Scope'), [
        { CrawlID: 5, DocID: 1, TransactionType: 2, Scope: 2 },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.66: a deletion that ends with an error leaves no item that would crawl the document again', () =>
    withFarm(async ({ store, clock }) => {
      const log = { UseChangeLog: 1, CrawlType: 2, ChangeLogCookie: new Uint8Array([1]), ChangeLogCookieType: 2 };
      await store.commit(await taken(store, ['a'], { CrawlType: 2 }), { ...log, ...failed });
      clock.advance(25 * hour);
      await store.bring({ CrawlID: 3, AccessURL: page('a'), hrResult: 0x80040d07 | 0 });
      await store.flush(3);
      await store.commit((await store.batch(3)).items, { ...log, ...failed, RecrawlErrorCount: 0 });
      assert.deepEqual(await history(store, 'DocID'), []);
      assert.deepEqual(await queue(store, 'DocID, TransactionType'), []);
    }));
});
