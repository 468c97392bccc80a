import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../../src/engine/sql.ts';
import { forEachCrawlFarm, type Store } from '../farm.ts';
import { hashOf } from '../link.ts';

const page = (name: string) => `http://host/${name}`;
const queue = (store: Store, columns: string) => store.rows(`select ${columns} from MSSCrawlQueue order by SeqID`);

/** Documents as an earlier crawl left them. */
async function crawled(store: Store, names: readonly string[], link: object = {}, result: object = {}): Promise<void> {
  await store.bring(...names.map((name) => ({ CrawlID: 2, AccessURL: page(name), ...link })));
  await store.flush(2);
  await store.commit((await store.batch(2, { size: 1000 })).items, result);
}

/** A page that a crawl finds excluded, and deletes. */
async function deleted(store: Store, CrawlID: number, name: string): Promise<void> {
  await store.bring({ CrawlID, AccessURL: page(name), hrResult: 0x80040d07 | 0 });
  await store.flush(CrawlID);
  await store.commit((await store.batch(CrawlID)).items);
  const left = await store.rows(`select DocID from CrawlUrlHistory where AccessURL = '${page(name)}'`);
  assert.deepEqual(left, []);
}

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

  test('MS-SQLPGAT2 3.1.5.7 stage 149: anchors find their targets, lose deleted ones, and lead to all that share a URL', () =>
    withFarm(async ({ store }) => {
      await store.bring({ CrawlID: 2, AccessURL: page('target'), SourceDocID: 50, SiteID: 8, FirstLink: 1 });
      await store.bring({ CrawlID: 2, AccessURL: page('gone'), SourceDocID: 50, FirstLink: 2 });
      await store.bring({
        CrawlID: 2,
        AccessURL: page('x'),
        DisplayURL: page('later'),
        SourceDocID: 50,
        FirstLink: 3,
        hrResult: 5,
      });
      await store.flush(2);
      await store.commit((await store.batch(2)).items);
      await store.stage(149, { CrawlID: 2, ProjectID: 1 });
      await store.bring({ CrawlID: 3, AccessURL: page('later'), SourceDocID: 51, FirstLink: 1, SiteID: 8 });
      await store.bring({ CrawlID: 3, AccessURL: page('gone'), hrResult: 0x80040d07 | 0 });
      await store.flush(3);
      await store.commit((await store.batch(3)).items);
      await store.stage(149, { CrawlID: 3, ProjectID: 1 });
      const anchors = await store.rows(
        'select SourceDocID, TargetDocID, Link, InterSite from AnchorTextInfo order by SourceDocID, LinkOrdinal',
      );
      const later = (await store.rows(`select DocID from CrawlUrlHistory where AccessURL = '${page('later')}'`))[0]?.[
        'DocID'
      ];
      assert.deepEqual(
        anchors.map((row) => [row['SourceDocID'], row['TargetDocID'], row['InterSite']]),
        [
          [50, 1, 0],
          [50, -1, 0],
          [50, later, 1],
          [51, later, 0],
        ],
      );
      assert.deepEqual(
        (await store.rows('select TargetDocID from PendingAnchorChange where CrawlID = 3 order by 1')).map(
          (row) => row['TargetDocID'],
        ),
        [2, later].sort(),
      );
      assert.equal((await store.rows('select * from LocalCompletedCrawls')).length, 2);
      await store.database.write((db) => db.run(sql`delete from pending_anchor_changes`));
      assert.equal((await store.stage(149, { CrawlID: 3, ProjectID: 1 })).misc, 3);
      assert.deepEqual(
        await store.rows('select * from PendingAnchorChange'),
        [],
        'a completed crawl is completed once',
      );
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 149: a document that has the identifier of a deleted one keeps its own anchors', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['target', 'gone', 'linking']);
      const menu = { AccessURL: page('target'), FirstLink: 1, SourceDocID: 2 };
      await store.bring({ CrawlID: 2, ...menu }, { CrawlID: 2, AccessURL: page('gone'), FirstLink: 2, SourceDocID: 3 });
      await store.flush(2);
      await store.stage(149, { CrawlID: 2, ProjectID: 1 });
      await deleted(store, 3, 'gone');
      // Another crawl finds a page with the same menu, and is done before the one that has deleted the first.
      await store.bring({ CrawlID: 4, AccessURL: page('next'), SourceDocID: 3, FirstLink: 3 });
      await store.flush(4);
      await store.bring({ CrawlID: 4, ...menu });
      await store.flush(4);
      await store.commit((await store.batch(4)).items);
      for (const CrawlID of [4, 3]) await store.stage(149, { CrawlID, ProjectID: 1 });
      assert.deepEqual(
        await store.rows(`
          select h.AccessURL, a.TargetDocID from AnchorTextInfo a join CrawlUrlHistory h on h.DocID = a.SourceDocID
          order by LinkOrdinal`),
        [
          { AccessURL: page('next'), TargetDocID: 1 },
          { AccessURL: page('linking'), TargetDocID: -1 },
          { AccessURL: page('linking'), TargetDocID: 2 },
        ],
      );
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 149: a user whose page has the identifier of a deleted one keeps the colleagues it lists', () =>
    withFarm(async ({ store }) => {
      const list = (crawl: number, user: number, colleague: number) =>
        store.client.batch(`
          insert into MSSColleagueLinks (CrawlID, SourceDocID, SourceUserID, TargetUserID, Pid)
          values (${crawl}, 1, ${user}, ${colleague}, 394), (${crawl}, 1, ${user}, null, -1)`);
      await crawled(store, ['gone']);
      await list(2, 100, 101);
      await store.flush(2);
      await store.stage(149, { CrawlID: 2, ProjectID: 1 });
      await deleted(store, 3, 'gone');
      await store.bring({ CrawlID: 3, AccessURL: page('next') });
      await store.flush(3);
      await list(3, 200, 201);
      await store.flush(3);
      await store.commit((await store.batch(3)).items);
      await store.stage(149, { CrawlID: 3, ProjectID: 1 });
      assert.deepEqual(await store.rows('select SourceDocID, TargetUserID from SocialDistanceProperty'), [
        { SourceDocID: 1, TargetUserID: '201' },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 149: an anchor is between sites where the site of its own target is another one', () =>
    withFarm(async ({ store }) => {
      const shown = { CrawlID: 2, DisplayURL: page('shown'), FirstLink: 1 };
      await store.bring({ ...shown, SourceDocID: 50, AccessURL: page('excluded'), hrResult: 5, SiteID: 9 });
      await store.flush(2);
      await store.bring({
        CrawlID: 2,
        AccessURL: 'sts4://host/one',
        DisplayURL: page('shown'),
        ItemType: 1,
        SiteID: 9,
      });
      await store.flush(2);
      await store.bring({
        CrawlID: 2,
        AccessURL: 'sts4://host/two',
        DisplayURL: page('shown'),
        ItemType: 1,
        SiteID: 8,
      });
      await store.flush(2);
      await store.commit((await store.batch(2)).items);
      await store.stage(149, { CrawlID: 2, ProjectID: 1 });
      assert.deepEqual(
        await store.rows(
          'select TargetDocID, InterSite from AnchorTextInfo where SourceDocID = 50 and TargetDocID = 1',
        ),
        [{ TargetDocID: 1, InterSite: 0 }],
      );
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 149: each source of a link leads to all documents of its display URL, whatever their access URLs', () =>
    withFarm(async ({ store }) => {
      const shown = { CrawlID: 2, DisplayURL: page('shown'), FirstLink: 1 };
      await store.bring(
        { ...shown, SourceDocID: 50, AccessURL: page('excluded'), hrResult: 5 },
        { ...shown, SourceDocID: 51, AccessURL: 'sts4://host/one' },
        { ...shown, SourceDocID: 52, AccessURL: 'sts4://host/two' },
        { ...shown, SourceDocID: 53, AccessURL: page('shown') },
        { CrawlID: 2, SourceDocID: 54, FirstLink: 1, AccessURL: page('alone') },
      );
      await store.flush(2);
      await store.commit((await store.batch(2)).items);
      await store.stage(149, { CrawlID: 2, ProjectID: 1 });
      assert.deepEqual(
        (await store.rows('select SourceDocID, TargetDocID from AnchorTextInfo order by 1, 2')).map((row) =>
          Object.values(row),
        ),
        [...[50, 51, 52, 53].flatMap((source) => [1, 2, 3].map((target) => [source, target])), [54, 4]],
      );
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 149: colleagues find the documents of users, and what is one public colleague further', () =>
    withFarm(async ({ store }) => {
      await crawled(store, ['u100', 'u200', 'u300']);
      const say = (rows: string) =>
        store.client.batch(
          `insert into MSSColleagueLinks (CrawlID, SourceDocID, SourceUserID, TargetUserID, Pid) values ${rows}`,
        );
      await say(
        '(2, 1, 100, 200, 394), (2, 1, 100, null, -1), (2, 2, 200, 300, 394), (2, 2, 200, null, -1), (2, 3, 300, null, -1)',
      );
      await store.flush(2);
      await store.database.write((db) => db.run(sql`delete from changed_targets`));
      await store.stage(149, { CrawlID: 2, ProjectID: 1 });
      assert.deepEqual(
        (await store.rows('select SourceDocID, TargetDocID from SocialDistanceProperty order by 1')).map((row) => [
          row['SourceDocID'],
          row['TargetDocID'],
        ]),
        [
          [1, 2],
          [2, 3],
        ],
      );
      assert.deepEqual(await store.rows('select TargetDocID from PendingAnchorChange order by 1'), [
        { TargetDocID: 2 },
        { TargetDocID: 3 },
      ]);
      assert.deepEqual(await store.rows('select * from SocialDistanceNewProperty'), []);
      await say('(3, 1, 100, null, -1)');
      await store.flush(3);
      await store.stage(149, { CrawlID: 3, ProjectID: 1 });
      assert.equal(
        (await store.rows('select * from SocialDistanceProperty')).length,
        1,
        'one that was not listed any more is gone',
      );
      assert.deepEqual(await store.rows('select TargetDocID from PendingAnchorChange where CrawlID = 3 order by 1'), [
        { TargetDocID: 2 },
        { TargetDocID: 3 },
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.7 stage 149, 3.1.1.15: a colleague that has no document any more is no document to process', () =>
    withFarm(async ({ store }) => {
      await store.database.write((db) =>
        db.insert(
          'social_distance',
          ['source_doc_id', 'source_user_id', 'target_doc_id', 'target_user_id', 'pid'],
          [
            [10, 100, -1, 200, 394],
            [10, 100, 12, 201, 394],
            [10, 100, null, 202, 394],
          ],
        ),
      );
      await store.client.batch(`
        insert into MSSColleagueLinks (CrawlID, SourceDocID, SourceUserID, TargetUserID, Pid) values (2, 10, 100, null, -1)`);
      await store.flush(2);
      await store.stage(149, { CrawlID: 2, ProjectID: 1 });
      assert.deepEqual(await store.rows('select TargetDocID from PendingAnchorChange'), [{ TargetDocID: 12 }]);
      assert.deepEqual(await store.rows('select * from SocialDistanceProperty'), []);
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
