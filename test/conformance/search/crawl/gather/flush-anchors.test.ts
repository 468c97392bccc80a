import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../../src/engine/sql.ts';
import { forEachCrawlFarm, type Store } from '../farm.ts';
import { hashOf } from '../link.ts';

const page = (name: string) => `http://host/${name}`;
const anchors = (store: Store) =>
  store.rows(
    'select SourceDocID, TargetDocID, Link, AnchorText, LinkOrdinal, CrawlID from AnchorTextInfo order by LinkID',
  );
const changed = async (store: Store, what: string) =>
  (await store.rows(`select CrawlID, DocID from ChangedAnchor${what}Documents order by 1, 2`)).map((row) => [
    row['CrawlID'],
    row['DocID'],
  ]);
const text = (AnchorText: string) => ({ AnchorText, AnchorHash: hashOf(AnchorText) });
const last = (CrawlID: number, SourceDocID: number) => ({ CrawlID, SourceDocID, AccessURL: page('last'), ItemType: 7 });

async function colleagues(store: Store, rows: readonly (readonly (number | null)[])[]): Promise<void> {
  const values = rows.map((row) => `(${row.map((value) => value ?? 'null').join(', ')})`);
  await store.client.batch(`
    insert into MSSColleagueLinks (CrawlID, SourceDocID, SourceUserID, TargetUserID, Pid) values ${values.join(', ')}`);
}

forEachCrawlFarm((withFarm) => {
  test('MS-SQLPGAT2 3.1.5.14: anchors are added, kept, changed and, after a Last Link, removed', () =>
    withFarm(async ({ store }) => {
      await store.bring(
        { CrawlID: 2, SourceDocID: 50, AccessURL: page('a'), FirstLink: 1, ...text('A') },
        { CrawlID: 2, SourceDocID: 50, AccessURL: page('b'), FirstLink: 2, ...text('B') },
        { CrawlID: 2, SourceDocID: 50, AccessURL: page('c'), FirstLink: 3, ...text('C') },
        last(2, 50),
      );
      await store.flush(2);
      assert.equal((await store.rows('select DocID from CrawlUrlHistory')).length, 3, 'a Last Link is no document');
      assert.deepEqual(
        (await anchors(store)).map((row) => [
          row['SourceDocID'],
          row['TargetDocID'],
          row['AnchorText'],
          row['CrawlID'],
        ]),
        [
          [50, 1, 'A', 2],
          [50, 2, 'B', 2],
          [50, 3, 'C', 2],
        ],
      );
      assert.deepEqual(await changed(store, 'Target'), [
        [2, 1],
        [2, 2],
        [2, 3],
      ]);
      assert.deepEqual(await changed(store, 'Source'), [[2, 50]]);
      await store.bring(
        { CrawlID: 3, SourceDocID: 50, AccessURL: page('a'), FirstLink: 1, ...text('A') },
        { CrawlID: 3, SourceDocID: 50, AccessURL: page('b'), FirstLink: 2, ...text('Better') },
        { ...last(3, 50), ParentProcessChangeLog: 1 },
      );
      await store.flush(3);
      assert.equal((await anchors(store)).length, 3, 'an entry of a change log ends no list');
      await store.bring(last(3, 50));
      await store.flush(3);
      assert.deepEqual(
        (await anchors(store)).map((row) => [row['TargetDocID'], row['AnchorText'], row['CrawlID']]),
        [
          [1, 'A', 3],
          [2, 'Better', 3],
        ],
      );
      assert.deepEqual((await changed(store, 'Target')).slice(3), [
        [3, 2],
        [3, 3],
      ]);
      assert.deepEqual(await changed(store, 'Source'), [
        [2, 50],
        [3, 50],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.14: every anchor of a link is kept, or changed, where several documents share its URL', () =>
    withFarm(async ({ store }) => {
      const link = { SourceDocID: 50, AccessURL: page('a'), FirstLink: 1 };
      await store.bring({ CrawlID: 2, ...link, ...text('A') });
      await store.flush(2);
      // As stage 149 leaves them (3.1.5.7): the same link, and the other document of its URL.
      await store.database.write((db) =>
        db.run(sql`
          insert into anchor_text (source_doc_id, target_doc_id, link, link_key, link_hash, anchor_text, anchor_key,
            anchor_hash, crawl_id, link_ordinal)
          select source_doc_id, 9, link, link_key, link_hash, anchor_text, anchor_key, anchor_hash, crawl_id, link_ordinal
          from anchor_text`),
      );
      const left = async () =>
        (await anchors(store)).map((row) => [row['TargetDocID'], row['AnchorText'], row['CrawlID']]);
      await store.bring({ CrawlID: 3, ...link, ...text('A') }, last(3, 50));
      await store.flush(3);
      assert.deepEqual(await left(), [
        [1, 'A', 3],
        [9, 'A', 3],
      ]);
      assert.deepEqual(await changed(store, 'Target'), [[2, 1]], 'nothing has changed since');
      await store.bring({ CrawlID: 4, ...link, ...text('Better') }, last(4, 50));
      await store.flush(4);
      assert.deepEqual(await left(), [
        [1, 'Better', 4],
        [9, 'Better', 4],
      ]);
      assert.deepEqual((await changed(store, 'Target')).slice(1), [
        [4, 1],
        [4, 9],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.1.5, 3.1.5.14: an anchor whose link has no source, or shows no URL, is the same in the next crawl', () =>
    withFarm(async ({ store }) => {
      for (const CrawlID of [2, 3]) {
        await store.bring(
          { CrawlID, SourceDocID: null, AccessURL: page('a') },
          { CrawlID, SourceDocID: 50, AccessURL: page('b'), DisplayURL: null },
          last(CrawlID, 50),
        );
        await store.flush(CrawlID);
      }
      assert.deepEqual(
        (await anchors(store)).map((row) => [row['SourceDocID'], row['TargetDocID'], row['Link'], row['CrawlID']]),
        [
          [-1, 1, page('a'), 3],
          [50, 2, null, 3],
        ],
      );
      assert.deepEqual(await changed(store, 'Source'), [
        [2, -1],
        [2, 50],
      ]);
      // Two documents of one display URL: what leads to either leads to both, once.
      await store.database.write((db) =>
        db.run(sql`
          insert into anchor_text (source_doc_id, target_doc_id, link, link_key, link_hash, crawl_id, link_ordinal)
          select 50, 9, link, link_key, link_hash, crawl_id, 7 from anchor_text where target_doc_id = 1`),
      );
      for (const CrawlID of [8, 9]) {
        await store.stage(149, { CrawlID, ProjectID: 1 });
        assert.deepEqual(
          (await anchors(store)).map((row) => [row['SourceDocID'], row['TargetDocID']]),
          [
            [-1, 1],
            [50, 2],
            [50, 9],
            [-1, 9],
            [50, 1],
          ],
        );
      }
    }));

  test('MS-SQLPGAT2 3.1.1.5, 3.1.5.14: an anchor whose link has no ordinal, or no hash, is the same in the next crawl', () =>
    withFarm(async ({ store }) => {
      const link = { SourceDocID: 50, ...text('A') };
      for (const CrawlID of [2, 3]) {
        await store.bring(
          { CrawlID, ...link, AccessURL: page('a'), FirstLink: null },
          { CrawlID, ...link, AccessURL: page('b'), FirstLink: 1, DisplayHash: null },
          last(CrawlID, 50),
        );
        await store.flush(CrawlID);
      }
      assert.deepEqual(
        (await anchors(store)).map((row) => [row['TargetDocID'], row['LinkOrdinal'], row['CrawlID']]),
        [
          [1, 0, 3],
          [2, 1, 3],
        ],
      );
      assert.deepEqual(await changed(store, 'Target'), [
        [2, 1],
        [2, 2],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.14: start addresses, entries of change logs, business data and excluded links are no anchors', () =>
    withFarm(async ({ store }) => {
      await store.bring(
        { CrawlID: 2, AccessURL: page(''), ItemType: 1 },
        { CrawlID: 2, AccessURL: page('log'), ParentProcessChangeLog: 1, UseChangeLog: 1, ChangeLogBatchID: 2 },
        { CrawlID: 2, AccessURL: page('bdc'), DisplayURL: 'BDC3://x' },
        { CrawlID: 2, AccessURL: page('out'), hrResult: 0x80040d07 | 0 },
        { CrawlID: 2, AccessURL: page('failed'), hrResult: 0x80041201 | 0 },
      );
      await store.flush(2);
      assert.deepEqual(
        (await anchors(store)).map((row) => [row['Link'], row['TargetDocID']]),
        [[page('failed'), null]],
      );
    }));

  test('MS-SQLPGAT2 3.1.5.14: links of an anchor crawl become items with documents of their own', () =>
    withFarm(async ({ store }) => {
      const anchor = { CrawlID: 5, ProjectID: 2, ItemType: 6, DocID: -1 };
      await store.bring({ ...anchor, AccessURL: 'anchor:1' }, { ...anchor, AccessURL: 'anchor:2' });
      await store.bring({ CrawlID: 2, AccessURL: page('a') });
      assert.equal(await store.flush(5, 0, 2), 2);
      assert.deepEqual(await store.rows('select CrawlID from MSSTranTempTable0'), [{ CrawlID: 2 }]);
      const { items } = await store.batch(5, { project: 2 });
      assert.deepEqual(
        items.map((item) => [item['AccessURL'], item['HostID'], item['TransactionType'], item['LinksBitmap']]),
        [
          ['anchor:1', -1, 2, 0],
          ['anchor:2', -1, 2, 0],
        ],
      );
      assert.deepEqual(
        items.map((item) => [item['IndexType'], item['PHFlags'], item['ParentHostID'], item['CachedBlob']]),
        [
          [0, 0, -1, null],
          [0, 0, -1, null],
        ],
        '3.1.5.45.1: what only portal content has',
      );
      assert.deepEqual(await anchors(store), []);
      await store.commit(items);
      assert.deepEqual(await store.rows('select TransactionType, DeleteReason from MSSCrawlQueue'), [
        { TransactionType: 1, DeleteReason: 1 },
        { TransactionType: 1, DeleteReason: 1 },
      ]);
      await store.commit((await store.batch(5, { project: 2 })).items);
      assert.equal((await store.stage(141, { CrawlID: 5 })).status, 11);
      assert.deepEqual(await store.rows('select DocID from CrawlUrlHistory'), []);
    }));

  test('MS-SQLPGAT2 3.1.5.14: an anchor crawl takes new identifiers only when those of deleted documents are used up', () =>
    withFarm(async ({ store }) => {
      const ids = Array.from({ length: 1001 }, (_, at) => at + 1);
      await store.database.write((db) =>
        db.insert(
          'free_doc_ids',
          ['doc_id'],
          ids.map((id) => [id]),
        ),
      );
      await store.bring(...[0, ...ids].map((id) => ({ CrawlID: 2, ProjectID: 2, AccessURL: `anchor:${id}` })));
      const answer = await store.flushOnce(2, { FlushProjectID: 2, NextDocID: 5000, MaxDocID: 5010 });
      assert.deepEqual([answer.status, answer.output['LinksProcessed'], answer.output['MoreLinks']], [1, 1002, false]);
      assert.deepEqual(await store.rows('select max(DocID) as Greatest, count(*) as Documents from CrawlUrlHistory'), [
        { Greatest: 5000, Documents: 1002 },
      ]);
      assert.deepEqual(await store.rows('select * from CurrentDocIDChunk'), [{ FirstDocID: 5001, LastDocID: 5010 }]);
    }));

  test('MS-SQLPGAT2 3.1.5.14, 3.1.5.47: an anchor crawl uses up an interval that is handed out again', () =>
    withFarm(async ({ store }) => {
      const anchor = { CrawlID: 5, ProjectID: 2, ItemType: 6, DocID: -1 };
      const interval = { NextDocID: 1, MaxDocID: 5, FlushProjectID: 2 };
      await store.bring(...[1, 2, 3, 4].map((n) => ({ ...anchor, AccessURL: `anchor:${n}` })));
      assert.equal((await store.flushOnce(5, interval)).output['LinksProcessed'], 4);
      await store.bring(...[5, 6].map((n) => ({ ...anchor, AccessURL: `anchor:${n}` })));
      assert.equal((await store.flushOnce(5, { FlushProjectID: 2 })).status, 2);
      const again = await store.flushOnce(5, interval);
      assert.deepEqual([again.status, again.output['LinksProcessed'], again.output['MoreLinks']], [1, 1, false]);
      const spent = await store.flushOnce(5, { FlushProjectID: 2 });
      assert.deepEqual([spent.status, spent.output['MaxDocID']], [2, 5]);
      assert.equal((await store.flushOnce(5, { ...interval, NextDocID: 6, MaxDocID: 9 })).status, 1);
      assert.deepEqual(await store.rows('select LinkID from MSSTranTempTable0'), []);
    }));

  test('MS-SQLPGAT2 3.1.5.14: colleagues are new, changed, unchanged or gone, and a list tells the document of its user', () =>
    withFarm(async ({ store }) => {
      await colleagues(store, [
        [2, 10, 100, 200, 394],
        [2, 10, 100, 201, 394],
        [2, 10, 100, 202, 395],
        [2, 10, 100, null, -1],
      ]);
      await store.flush(2);
      const known = () => store.rows('select TargetUserID, Pid from SocialDistanceProperty order by TargetUserID');
      const listed = async (set: string, crawl: number) =>
        (
          await store.rows(`select TargetUserID from SocialDistance${set}Property where CrawlID = ${crawl} order by 1`)
        ).map((row) => Number(row['TargetUserID']));
      assert.equal((await known()).length, 3);
      assert.deepEqual(await listed('New', 2), [200, 201, 202]);
      assert.deepEqual(
        (await store.rows('select UserID, DocID from UserIDDocIDPair')).map((row) => [
          Number(row['UserID']),
          row['DocID'],
        ]),
        [[100, 10]],
      );
      await colleagues(store, [
        [3, 10, 100, 200, 394],
        [3, 10, 100, 201, 395],
        [3, 10, 100, 203, 394],
        [3, 10, 100, null, -1],
      ]);
      await store.flush(3);
      assert.deepEqual(await listed('Unchanged', 3), [200]);
      assert.deepEqual(await listed('New', 3), [201, 203]);
      assert.deepEqual(await listed('Deleted', 3), [202]);
      assert.deepEqual(
        (await known()).map((row) => [Number(row['TargetUserID']), row['Pid']]),
        [
          [200, 394],
          [201, 395],
          [202, 395],
          [203, 394],
        ],
      );
      assert.deepEqual(await store.rows('select LinkID from MSSColleagueLinks'), []);
    }));

  test('MS-SQLPGAT2 3.1.5.14: a colleague that a later list of the same crawl has again stays one', () =>
    withFarm(async ({ store }) => {
      const known = [
        [10, 100, 200, 394],
        [10, 100, 201, 394],
      ] as const;
      await colleagues(store, [...known.map((row) => [2, ...row]), [2, 10, 100, null, -1]]);
      await store.flush(2);
      const deleted = () => store.rows('select TargetUserID from SocialDistanceDeletedProperty where CrawlID = 3');
      await colleagues(store, [
        [3, 10, 100, 200, 394],
        [3, 10, 100, null, -1],
      ]);
      await store.flush(3);
      assert.equal((await deleted()).length, 1);
      await colleagues(store, [...known.map((row) => [3, ...row]), [3, 10, 100, null, -1]]);
      await store.flush(3);
      assert.deepEqual(await deleted(), []);
      await store.stage(149, { CrawlID: 3, ProjectID: 1 });
      assert.equal((await store.rows('select * from SocialDistanceProperty')).length, 2);
    }));
});
