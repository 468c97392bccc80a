import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../../src/engine/sql.ts';
import { forEachCrawlFarm, type Store } from '../farm.ts';
import { hashOf } from '../link.ts';
import { crawled, page } from './pages.ts';

const queue = (store: Store, columns: string) => store.rows(`select ${columns} from MSSCrawlQueue order by SeqID`);

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.1.5.7 stages 90, 93, 163: NULL does not name the component that has the number 0', () =>
    withFarm(async ({ store }) => {
      const components = () => store.rows('select ComponentID, Status from LocalCrawlComponents');
      await store.bring({ CrawlID: 2, AccessURL: page('a') });
      await store.flush(2);
      await store.batch(2);
      assert.deepEqual(await store.stage(163, { CrawlID: 2 }), { misc: 2, status: 0, subStatus: 0 });
      assert.deepEqual(await components(), [{ ComponentID: 0, Status: 1 }]);
      await store.stage(163, { MiscInputData: 7 });
      await store.stage(90, { MiscInputData: 0 });
      assert.deepEqual(await queue(store, 'ComponentID'), [{ ComponentID: 0 }]);
      await store.stage(163, { MiscInputData: 0 });
      assert.deepEqual(await queue(store, 'ComponentID'), [{ ComponentID: null }]);
      await store.stage(90, { MiscInputData: 1 });
      await store.stage(93);
      assert.deepEqual(await components(), [{ ComponentID: 0, Status: 3 }]);
      await store.stage(90, { ComponentID: 0, MiscInputData: 1 });
      assert.deepEqual(await components(), [{ ComponentID: 0, Status: 1 }]);
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 107: queues documents of a content source, or of a start address, once; tells how many', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['a', 'b'], { HostDepth: 3, TransactionFlags: 8 }, { HostDepth: 3 });
      await crawled(store, ['c'], { StartAddressID: 5 });
      await crawled(store, ['d'], { ContentSourceID: 9 });
      const input = { CrawlID: 3, CrawlType: 3, ContentSourceID: 1 };
      assert.equal((await store.stage(107, { ...input, CrawlType: 1 })).misc, 0, 'no delete crawl');
      assert.deepEqual(await store.stage(107, { ...input, MiscInputData: 5 }), { misc: 1, status: 0, subStatus: 0 });
      assert.equal((await store.stage(107, { ...input, MiscInputData: 0 })).misc, 3);
      assert.equal((await store.stage(107, { ...input, MiscInputData: 0 })).misc, 3);
      assert.deepEqual(
        await queue(
          store,
          'DocID, StartAddressID, TransactionType, Scope, SourceDocID, DeleteReason, TransactionFlags, HostDepth',
        ),
        [
          { DocID: 3, StartAddressID: 5, HostDepth: 0, TransactionFlags: 0 },
          { DocID: 1, StartAddressID: 1, HostDepth: 3, TransactionFlags: 8 },
          { DocID: 2, StartAddressID: 1, HostDepth: 3, TransactionFlags: 8 },
        ].map((row) => ({ ...row, TransactionType: 1, Scope: 1, SourceDocID: 0, DeleteReason: 2 })),
      );
      assert.deepEqual(await store.rows('select DocID from CrawlUrlHistory where DeletePending = 0'), [{ DocID: 4 }]);
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 107: tells for every type of crawl how many records of the history have the crawl', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['a', 'b']);
      await store.bring({ CrawlID: 2, AccessURL: page('c') });
      await store.flush(2);
      for (const CrawlType of [1, 2]) {
        assert.equal((await store.stage(107, { CrawlID: 2, CrawlType, ContentSourceID: 1 })).misc, 3);
      }
      assert.equal((await store.stage(107, { CrawlID: 9, CrawlType: 1, ContentSourceID: 1 })).misc, 0);
      assert.equal((await queue(store, 'DocID')).length, 1, 'only a delete crawl queues anything');
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 109: queues what must be asked itself, errors, cookies and failed security, the first time', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['page'], { SourceDocID: 70 });
      await crawled(store, ['folder'], { TransactionFlags: 0x204 }, { TransactionFlags: 0x204 });
      await crawled(store, ['file'], { TransactionFlags: 0x200 });
      await crawled(store, ['failed'], { TransactionFlags: 0x200 }, { ErrorLevel: 2, ErrorID: 3 });
      const log = { UseChangeLog: 1, ChangeLogCookie: new Uint8Array([1]), ChangeLogCookieType: 1 };
      await crawled(store, ['log'], { UseChangeLog: 1 }, log);
      await crawled(store, ['in log'], { UseChangeLog: 1 });
      await crawled(store, ['unsecured'], { TransactionFlags: 0x200 });
      await crawled(store, ['elsewhere'], { ContentSourceID: 2 });
      await store.database.write((db) =>
        db.run(sql`update crawl_history set security_update_error_id = 4 where access_url like '%unsecured'`),
      );
      const { misc } = await store.stage(109, { CrawlID: 3, ContentSourceID: 1 });
      assert.equal(misc, 1);
      const queued = await queue(store, 'DocID, TransactionType, Scope, TransactionFlags, CrawlID, SourceDocID');
      assert.deepEqual(
        queued.map((row) => [row['DocID'], row['TransactionFlags'], row['SourceDocID']]),
        [
          [1, 0x4, 70],
          [2, 0x204, -1],
          [4, 0x204, -1],
          [5, 0x4, -1],
          [7, 0x2000200, -1],
        ],
      );
      assert.ok(queued.every((row) => row['TransactionType'] === 2 && row['Scope'] === 2 && row['CrawlID'] === 3));
      assert.equal((await store.stage(109, { CrawlID: 3, ContentSourceID: 1 })).misc, 1);
      assert.equal((await queue(store, 'DocID')).length, 5);
      assert.deepEqual(await store.rows('select DocID from CrawlUrlHistory where CrawlID = 3 order by 1'), [
        { DocID: 1 },
        { DocID: 2 },
        { DocID: 4 },
        { DocID: 5 },
      ]);
      assert.deepEqual(await store.rows('select DocID from CrawlUrlHistory where SecurityUpdateCrawlID = 3'), [
        { DocID: 7 },
      ]);
      assert.equal(
        (await store.stage(109, { CrawlID: 4, ContentSourceID: 77 })).misc,
        4,
        'nothing to do: the crawl itself',
      );
      await store.stage(149, { CrawlID: 4, ProjectID: 1 });
      assert.equal(
        (await store.stage(109, { CrawlID: 4, ContentSourceID: 1 })).misc,
        4,
        'not even when it is completed',
      );
    }));

  test('MS-SQLPGAT2 3.1.5.7 stages 107, 109, 115, 145: what an anchor crawl works on is left alone by crawls of the content source 1, and goes when it is stopped', () =>
    withFarm(async ({ store }) => {
      const anchor = { CrawlID: 3, ProjectID: 2, ItemType: 6, HostID: 0 };
      await store.bring({ ...anchor, AccessURL: 'anchor:0' }, { ...anchor, AccessURL: 'anchor:1' });
      await store.flush(3, 0, 2);
      const anchors = await store.rows('select * from CrawlUrlHistory');
      const input = { CrawlID: 4, ContentSourceID: 1 };
      assert.equal((await store.stage(109, input)).misc, 4);
      for (const CrawlType of [1, 2]) assert.equal((await store.stage(145, { ...input, CrawlType })).misc, 4);
      assert.equal((await store.stage(145, { ...input, CrawlID: 5, CrawlType: 1, MiscInputData: 2 })).misc, 5);
      assert.equal((await store.stage(107, { ...input, CrawlType: 3 })).misc, 0);
      assert.deepEqual(await queue(store, 'CrawlID, ProjectID'), [
        { CrawlID: 3, ProjectID: 2 },
        { CrawlID: 3, ProjectID: 2 },
      ]);
      assert.deepEqual(await store.rows('select * from CrawlUrlHistory'), anchors);
      const taken = await store.batch(3, { project: 2, size: 1 });
      await crawled(store, ['page']);
      await store.stage(115, { CrawlID: 3, ContentSourceID: 1, ProjectID: 2 });
      assert.deepEqual(await store.rows('select AccessURL from CrawlUrlHistory'), [{ AccessURL: page('page') }]);
      await store.bring({ CrawlID: 2, AccessURL: page('next') }, { CrawlID: 2, AccessURL: page('last') });
      await store.flush(2);
      const found = 'select DocID, CommitCrawlID, DeletePending from CrawlUrlHistory order by DocID';
      const after = await store.rows(found);
      assert.deepEqual(
        after.map((row) => row['DocID']),
        [2, 3, 4],
        'the identifier of what is in a batch is not used again',
      );
      await store.commit(taken.items);
      assert.deepEqual(await store.rows(found), after);
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 145: unvisited documents of a full crawl are deleted, or crawled again where asked', () =>
    withFarm(async ({ store }) => {
      for (const [CrawlID, variant, expected] of [
        [10, 0, [1, 1, 1]],
        [11, 1, [2, 1, 1]],
        [12, 2, [2, 2, 2]],
      ] as const) {
        await store.stage(92);
        await store.bring({ CrawlID: 2, AccessURL: page(''), ItemType: 1, TransactionFlags: 8 });
        await store.flush(2);
        await store.bring({ CrawlID: 2, AccessURL: page('a'), SourceDocID: 5 });
        await store.bring({ CrawlID: 2, AccessURL: 'http://other/', HostID: 2, SourceDocID: 5, TransactionFlags: 8 });
        await store.flush(2);
        await store.commit((await store.batch(2)).items);
        const { misc } = await store.stage(145, { CrawlID, CrawlType: 1, ContentSourceID: 1, MiscInputData: variant });
        assert.equal(misc, 1);
        const queued = await store.rows(
          'select DocID, TransactionType, DeleteReason, Scope, TransactionFlags from MSSCrawlQueue order by DocID',
        );
        assert.deepEqual(
          queued.map((row) => row['TransactionType']),
          expected,
          `variant ${variant}`,
        );
        for (const row of queued) {
          assert.deepEqual(
            [row['DeleteReason'], row['Scope']],
            row['TransactionType'] === 1 ? [3, 1] : [null, 2],
            'deletions are of the item, crawls of all that is in it',
          );
        }
        await store.stage(145, { CrawlID, CrawlType: 1, ContentSourceID: 1, MiscInputData: variant });
        assert.equal((await queue(store, 'DocID')).length, 3, 'a second call adds nothing');
        await store.stage(115, { CrawlID, ContentSourceID: 1, ProjectID: 1 });
        const late = await store.stage(145, { CrawlID, CrawlType: 1, ContentSourceID: 1, MiscInputData: variant });
        assert.equal(late.misc, CrawlID, 'nor one after the stop');
      }
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 115: takes back what the crawl would have deleted of its content source, whosever the document was before', () =>
    withFarm(async ({ store }) => {
      const pending = () => store.rows('select DocID, DeletePending from CrawlUrlHistory order by DocID');
      await crawled(store, ['a']);
      await crawled(store, ['b', 'c'], { ContentSourceID: 9 });
      await store.stage(107, { CrawlID: 3, CrawlType: 3, ContentSourceID: 1, MiscInputData: 0 });
      const entry = {
        CrawlType: 2,
        UseChangeLog: 1,
        ParentProcessChangeLog: 1,
        ChangeLogBatchID: 1,
        TransactionType: 1,
      };
      await store.bring({ ...entry, CrawlID: 3, AccessURL: page('b') });
      await store.flush(3);
      await store.stage(107, { CrawlID: 3, CrawlType: 3, ContentSourceID: 9, MiscInputData: 0 });
      assert.deepEqual(
        await queue(store, 'DocID, ContentSourceID, DeleteReason'),
        [
          [1, 1, 2],
          [2, 1, 8],
          [3, 9, 2],
        ].map(([DocID, ContentSourceID, DeleteReason]) => ({ DocID, ContentSourceID, DeleteReason })),
      );
      await store.stage(115, { CrawlID: 3, ContentSourceID: 1, ProjectID: 1 });
      assert.deepEqual(await queue(store, 'DocID'), []);
      assert.deepEqual(await pending(), [
        { DocID: 1, DeletePending: false },
        { DocID: 2, DeletePending: false },
        { DocID: 3, DeletePending: true },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 145: a full crawl deletes what it has not committed, also what still waits in its queue', () =>
    withFarm(async ({ store }) => {
      await store.bring({ CrawlID: 2, AccessURL: page('a') }, { CrawlID: 2, AccessURL: page('b') });
      await store.flush(2);
      await store.commit((await store.batch(2, { size: 1 })).items);
      await store.stage(145, { CrawlID: 2, CrawlType: 1, ContentSourceID: 1 });
      assert.deepEqual(await queue(store, 'DocID, TransactionType, DeleteReason'), [
        { DocID: 2, TransactionType: 2, DeleteReason: null },
        { DocID: 2, TransactionType: 1, DeleteReason: 3 },
      ]);
      assert.deepEqual(await store.rows('select DocID from CrawlUrlHistory where DeletePending = 1'), [{ DocID: 2 }]);
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 170: pending annotations find their documents; targets without links are told from others', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['straße', 'b']);
      const pending = (name: string, text: string, n: number) =>
        `(N'${page(name)}', ${hashOf(page(name))}, N'${text}', ${n}, 306, 1033, '20240101')`;
      // URLs are equal as they are anywhere: whatever the case of their letters, and a letter may stand for two.
      await store.client.batch(`
        insert into MSSAnnotationsPending (TargetDisplayURL, TargetDisplayHash, AnnotationText, AnnotationNumeric, Pid, LCID,
          UpdateTime)
        values ${[pending('straße', 'one', 1), pending('STRASSE', 'two', 2), pending('nowhere', 'lost', 3)].join(', ')}`);
      await store.database.write(async (db) => {
        await db.run(sql`delete from anchor_text where target_doc_id = 2`);
        await db.insert(
          'pending_anchor_changes',
          ['crawl_id', 'target_doc_id'],
          [
            [2, 2],
            [9, 77],
          ],
        );
      });
      await store.stage(170, { CrawlID: 5, CrawlType: 2, MiscInputData: 2 });
      assert.deepEqual(await store.rows('select CrawlID, TargetDocID, ChangeType from AnchorChange order by 2'), [
        { CrawlID: 2, TargetDocID: 1, ChangeType: 2 },
        { CrawlID: 2, TargetDocID: 2, ChangeType: 1 },
      ]);
      const kept = await store.database.read((db) =>
        db.all(
          { n: { fromStore: Number } },
          sql`select annotation_numeric as "n" from annotations where target_doc_id = 1 order by 1`,
        ),
      );
      assert.deepEqual(kept, [{ n: 1 }, { n: 2 }]);
      assert.deepEqual(
        await store.database.read((db) =>
          db.all({ n: { fromStore: Number } }, sql`select id as "n" from annotations_pending`),
        ),
        [],
      );
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 92: a reset empties the store; components stay, and identifiers are not used again', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['a', 'b']);
      await store.bring({ CrawlID: 2, AccessURL: page('c') });
      assert.deepEqual(await store.stage(92, { CrawlID: 7 }), { misc: 7, status: 0, subStatus: 0 });
      for (const set of [
        'CrawlUrlHistory',
        'MSSCrawlQueue',
        'MSSTranTempTable0',
        'CrawledHosts',
        'AnchorTextInfo',
        'DeletedUrl',
      ]) {
        assert.deepEqual(await store.rows(`select * from ${set}`), [], set);
      }
      assert.equal((await store.rows('select * from LocalCrawlComponents')).length, 1);
      await crawled(store, ['a']);
      assert.deepEqual(await store.rows('select DocID from CrawlUrlHistory'), [{ DocID: 3 }]);
    }));

  test('MS-SQLPGAT2 3.1.5.7: an unknown stage changes nothing and returns 1', () =>
    withFarm(async ({ store }) => {
      for (const stage of [0, 94, 146, -5]) {
        assert.deepEqual(await store.stage(stage, { CrawlID: 3 }), { misc: 3, status: 0, subStatus: 0 });
      }
    }));

  test('MS-SQLPGAT2 3.1.5.7: stages that only read run beside a transaction that holds the writer', () =>
    withFarm(async ({ store, connect }) => {
      const other = await connect(store);
      await other.batch('begin transaction; delete from MSSTranTempTable0');
      assert.equal((await store.stage(141, { CrawlID: 2 })).status, 11);
      assert.equal((await store.stage(151, { CrawlID: 2 })).misc, 1);
      assert.equal((await store.stage(153, { CrawlID: 2 })).misc, 0);
      await other.batch('rollback');
    }));
});
