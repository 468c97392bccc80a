import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../../src/engine/sql.ts';
import { forEachCrawlFarm, type Store } from '../farm.ts';
import { crawled, page } from './pages.ts';

/** A page that a crawl finds excluded, and deletes. */
async function deleted(store: Store, CrawlID: number, name: string): Promise<void> {
  await store.bring({ CrawlID, AccessURL: page(name), hrResult: 0x80040d07 | 0 });
  await store.flush(CrawlID);
  await store.commit((await store.batch(CrawlID)).items);
  const left = await store.rows(`select DocID from CrawlUrlHistory where AccessURL = '${page(name)}'`);
  assert.deepEqual(left, []);
}

forEachCrawlFarm((withFarm) => {
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
      for (const [name, SiteID] of [
        ['one', 9],
        ['two', 8],
      ] as const) {
        await store.bring({
          CrawlID: 2,
          AccessURL: `sts4://host/${name}`,
          DisplayURL: page('shown'),
          ItemType: 1,
          SiteID,
        });
        await store.flush(2);
      }
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
});
