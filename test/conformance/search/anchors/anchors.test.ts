import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../../src/engine/db.ts';
import { getAnchorDocIDs } from '../../../../src/protocols/search/anchors/get-anchor-doc-ids.ts';
import { getTopAnchorLinks } from '../../../../src/protocols/search/anchors/get-top-anchor-links.ts';
import { updateAnchorDocPropsBlob } from '../../../../src/protocols/search/anchors/update-anchor-doc-props-blob.ts';
import { searchCrawl } from '../../../../src/protocols/search/kinds/search-crawl.ts';
import { anchorAdd, pack } from '../../../../src/protocols/search/records/index.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachSearch } from '../with-search.ts';

const [noLinks, links] = [1, 2];
const crawlId = 5;

const changes = (database: Database, rows: readonly (readonly [crawl: number, target: number, type: number])[]) =>
  database.write((db) => db.insert('anchor_changes', ['crawl_id', 'target_doc_id', 'change_type'], rows));
const anchorTexts = (database: Database, rows: readonly (readonly (number | string | null)[])[]) =>
  database.write((db) =>
    db.insert(
      'anchor_text',
      ['target_doc_id', 'source_doc_id', 'anchor_text', 'lcid', 'inter_site', 'crawl_id'],
      rows.map((row) => [...row, crawlId]),
    ),
  );
const top = async (client: TestClient, from = 0, to = 1000, crawl: number | null = crawlId) => {
  const { status, sets } = await client.call(getTopAnchorLinks, {
    CrawlID: crawl,
    MinTargetDocID: from,
    MaxTargetDocID: to,
  });
  assert.equal(status, 0);
  return sets[0] ?? [];
};
const brief = (rows: readonly Record<string, unknown>[]) =>
  rows.map((row) => [row['TargetDocID'], row['Pid'], row['AnchorText'], row['LCID']]);
const track = async (
  client: TestClient,
  blobs: readonly (readonly [number, Uint8Array | null])[],
  more: object = {},
) => {
  const { rows, records, bytes } = pack(
    anchorAdd,
    blobs.map(([DocId, PropertyTrackerBlob]) => ({ DocId, PropertyTrackerBlob })),
  );
  const given = { trace: 1, addRows: rows, addBlob: records, addDataBlob: bytes, ...more };
  const answer = await client.callLoosely(updateAnchorDocPropsBlob, given);
  assert.deepEqual([answer.status, answer.sets], [0, []]);
};
const tracked = async (client: TestClient) =>
  (await client.batch('select * from AnchorDocumentProperties order by DocId')).sets[0]?.map((row) =>
    Object.values(row),
  );

forEachSearch(searchCrawl, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.15: lists the targets of all anchor changes once, in ascending order', () =>
    withSearch(async ({ client, database }) => {
      await changes(database, [
        [5, 30, links],
        [5, 7, noLinks],
        [6, 30, links],
      ]);
      const { status, sets } = await client.call(getAnchorDocIDs, {});
      assert.deepEqual([status, sets], [0, [[{ TargetDocID: 7 }, { TargetDocID: 30 }]]]);
    }));

  test('MS-SQLPGAT2 3.1.5.62: returns the anchor texts of the targets in the range, without its end', () =>
    withSearch(async ({ client, database }) => {
      await changes(
        database,
        [1, 2, 3].map((target) => [crawlId, target, links]),
      );
      await anchorTexts(database, [
        [1, 10, 'one', 1033, 0],
        [2, 11, 'two', 1031, 1],
        [2, 12, null, 1033, 0],
        [3, 10, 'three', 1033, 0],
        [9, 10, 'unchanged', 1033, 0],
      ]);
      const rows = await top(client, 1, 3);
      assert.deepEqual(
        rows.map(({ LinkId: _, ...row }) => Object.values(row)),
        [
          [1, 10, 10, 0, 0, 1033, 'one', null, links, 0],
          [2, 11, 10, 0, 0, 1031, 'two', null, links, 1],
          [2, 12, 10, 0, 0, null, null, null, links, 0],
        ],
      );
      assert.deepEqual(brief(await top(client, 3, 3)), []);
      assert.deepEqual(brief(await top(client, 3, 10)), [[3, 10, 'three', 1033]]);
    }));

  test('MS-SQLPGAT2 3.1.5.62.1: InterSite is 0 between documents of one host and 1 between hosts, whatever the link says', () =>
    withSearch(async ({ client, database }) => {
      await changes(database, [[crawlId, 1, links]]);
      await database.write((db) =>
        db.insert(
          'crawl_history',
          ['doc_id', 'host_id'],
          [
            [1, 7],
            [10, 7],
            [11, 8],
            [12, null],
          ],
        ),
      );
      await anchorTexts(
        database,
        [10, 11, 12, 13].flatMap((source) => [
          [1, source, 'inside', 1033, 0],
          [1, source, 'across', 1033, 1],
        ]),
      );
      const texts = (await top(client)).filter((row) => row['Pid'] === 10);
      assert.deepEqual(
        texts.map((row) => [row['SourceDocID'], row['InterSite']]),
        [
          [10, 0],
          [10, 0],
          [11, 1],
          [11, 1],
          [12, 0],
          [12, 1],
          [13, 0],
          [13, 1],
        ],
      );
    }));

  test('MS-SQLPGAT2 3.1.5.62: a target whose links are gone has one row of change type 1, and its tracker', () =>
    withSearch(async ({ client, database }) => {
      await changes(database, [[crawlId, 1, noLinks]]);
      await anchorTexts(database, [[1, 10, 'ignored', 1033, 0]]);
      await track(client, [[1, Buffer.from([1, 2])]]);
      const rows = await top(client);
      assert.deepEqual(
        rows.map(({ LinkId: _, ...row }) => Object.values(row)),
        [
          [1, 0, 10, 0, 0, null, null, null, noLinks, 0],
          [1, 0, 2147418052, 0, 0, null, null, Buffer.from([1, 2]), noLinks, 0],
        ],
      );
    }));

  test('MS-SQLPGAT2 3.1.5.62: title, URL, tracker, annotations and colleagues of a target follow its links', () =>
    withSearch(async ({ client, database }) => {
      await changes(database, [[crawlId, 1, links]]);
      await anchorTexts(database, [[1, 10, 'text', 1033, 0]]);
      await track(client, [[1, Buffer.from([9])]]);
      const long = `http://a/${'x'.repeat(1491)}`;
      await database.write(async (db) => {
        await db.insert('crawl_history', ['doc_id', 'title', 'title_lcid', 'display_url'], [[1, 'Title', 1033, long]]);
        await db.insert(
          'annotations',
          ['target_doc_id', 'pid', 'annotation_text', 'update_time', 'lcid', 'annotation_numeric'],
          [
            [1, 306, null, 0, 1033, 7],
            [1, 307, 'query', 0, 1033, 8],
            [1, 100, 'left out', 0, 1033, 9],
          ],
        );
        await db.insert(
          'social_distance',
          ['source_doc_id', 'source_user_id', 'target_doc_id', 'target_user_id', 'pid'],
          [
            [20, 200, 1, 100, 394],
            [21, 201, 1, 100, 395],
            [30, 300, 20, 200, 395],
            [31, 301, 21, 201, 394],
            [1, 100, 20, 200, 394],
          ],
        );
      });
      const rows = await top(client);
      assert.deepEqual(brief(rows), [
        [1, 10, 'text', 1033],
        [1, 101, '200', 0],
        [1, 101, '201', 0],
        [1, 102, '300', 0],
        [1, 306, null, null],
        [1, 307, 'query', 1033],
        [1, 2147418050, 'Title', 1033],
        [1, 2147418051, long, 0],
        [1, 2147418052, null, null],
      ]);
      const counted = rows.filter((row) => row['Pid'] === 306 || row['Pid'] === 307);
      assert.deepEqual(
        counted.map((row) => [row['AnchorNumeric'], row['AnchorFrequency']]),
        [
          [7, 0],
          [0, 8],
        ],
      );
      assert.equal(new Set(rows.map((row) => row['LinkId'])).size, rows.length);
      assert.deepEqual(rows.at(-1)?.['AnchorBinary'], Buffer.from([9]));
    }));

  test('MS-SQLPGAT2 3.1.5.62: a target without a title has a row without text and language', () =>
    withSearch(async ({ client, database }) => {
      await changes(database, [[crawlId, 1, links]]);
      await database.write((db) =>
        db.insert('crawl_history', ['doc_id', 'title_lcid', 'display_url'], [[1, 1033, 'http://a/']]),
      );
      assert.deepEqual(brief(await top(client)), [
        [1, 2147418050, null, null],
        [1, 2147418051, 'http://a/', 0],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.62: the changes of the crawl count, or all of them where it has none of its own', () =>
    withSearch(async ({ client, database }) => {
      await changes(database, [
        [5, 1, noLinks],
        [6, 2, noLinks],
      ]);
      assert.deepEqual(brief(await top(client)), [[1, 10, null, null]]);
      assert.equal((await top(client, 0, 1000, 7)).length, 2);
      assert.equal((await top(client, 0, 1000, null)).length, 2);
    }));

  test('MS-SQLPGAT2 3.1.5.86, 2.2.3.1: sets, replaces and removes property tracker blobs', () =>
    withSearch(async ({ client }) => {
      const [one, two] = [Buffer.from('one'), Buffer.alloc(2048, 2)];
      await track(client, [
        [1, one],
        [2, two],
        [3, one],
      ]);
      await track(client, [
        [1, two],
        [2, null],
        [9, null],
        [3, two],
        [3, one],
      ]);
      assert.deepEqual(await tracked(client), [
        [1, two],
        [3, one],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.86: records that lie are refused, and nothing is kept', () =>
    withSearch(async ({ client }) => {
      const blobs = [[1, Buffer.from('one')] as const];
      for (const addRows of [0, -1, 2]) await assert.rejects(track(client, blobs, { addRows }), { number: 50000 });
      await assert.rejects(track(client, blobs, { addRows: null }), { number: 515 });
      await assert.rejects(track(client, blobs, { addBlob: null }), { number: 50000 });
      await assert.rejects(track(client, blobs, { addDataBlob: Buffer.from('on') }), { number: 50000 });
      await assert.rejects(track(client, blobs, { addDataBlob: null }), { number: 50000 });
      await assert.rejects(track(client, [[1, Buffer.alloc(2049)]]), { number: 8152 });
      assert.deepEqual(await tracked(client), []);
    }));
});
