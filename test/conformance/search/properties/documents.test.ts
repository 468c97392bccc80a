import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../../../../src/protocols/search/kinds/search.ts';
import { docSdIdsIn60, pack } from '../../../../src/protocols/search/records/index.ts';
import type { TestClient } from '../../../support/client.ts';
import { denseText } from '../../../support/nasty-text.ts';
import { forEachSearch } from '../with-search.ts';
import { anchors, change, inserts, properties, property, type Result, repairs, rows, updates } from './store.ts';

const result = (DocId: number, more: Partial<Result> = {}): Result => ({
  DocId,
  summaryBlobSize: 10,
  size: 2n ** 40n,
  lastModified: 129_000_000_000_000_000n,
  isDocument: 1,
  isPictureUrl: 0,
  author: 'Author',
  title: 'Title',
  url: 'http://a/b',
  pictureThumbnailUrl: null,
  contentClass: 'class',
  fileExtension: 'html',
  tags: 'one;two',
  propertyBlob: Buffer.from([1, 2, 3]),
  siteName: 'Site',
  description: 'words',
  numberOfMembers: 4,
  pictureHeightAndWidth: 5n,
  displayDate: 6n,
  ...more,
});
const hashes = Buffer.alloc(48, 7);
const secured = (DocId: number, duplicateAction: number, sdid = 5) => ({
  DocId,
  sdid,
  type: 1,
  hasPluggableSecurity: 1,
  duplicateAction,
  duplicateHashes: hashes,
});
const kept = async (client: TestClient) =>
  (await rows(client, 'MSSDocSdIds')).map((row) => [row['DocId'], row['sdid'], row['duplicateHashes']]);
const signature = (DocId: number, url: bigint, schema: number, content: bigint, time: bigint) => ({
  DocId,
  SchemaSignature: schema,
  UrlSignature: url,
  ContentSignature: content,
  CrawlTime: time,
});
const defined = (DocId: number, Term: string | null, Sentence: string) => ({
  DocId,
  TermInSentenceOffset: 3,
  IsAcronym: 1,
  Term,
  Sentence,
});

forEachSearch(search, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.90, 2.2.3.9: a result is inserted with all its columns, and then updated', () =>
    withSearch(async ({ client }) => {
      await change(client, inserts, { results: [result(1), result(2)] });
      const [first] = await rows(client, 'MSSDocResults');
      const { DocId: _, ...wanted } = result(1);
      assert.deepEqual(Object.fromEntries(Object.entries(first ?? {}).map(([name, value]) => [name, value])), {
        DocId: 1,
        ...Object.fromEntries(
          Object.entries(wanted).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
        ),
        popularSocialTags: null,
      });
      await change(client, updates, { results: [result(1, { title: null, propertyBlob: null, size: 1n })] });
      const [after] = await rows(client, 'MSSDocResults');
      assert.deepEqual([after?.['title'], after?.['propertyBlob'], after?.['size']], [null, null, '1']);
    }));

  test('MS-SQLPGAT2 3.1.5.90, 2.2.3.11: social tags are set where there is a result, and stay when that is updated', () =>
    withSearch(async ({ client }) => {
      const tags = async () => (await rows(client, 'MSSDocResults')).map((row) => row['popularSocialTags']);
      await change(client, inserts, { results: [result(1), result(2)] });
      await change(client, anchors, {
        tags: [
          { DocId: 1, popularSocialTags: 'blue;red' },
          { DocId: 3, popularSocialTags: 'nobody' },
        ],
      });
      assert.deepEqual(await tags(), ['blue;red', null]);
      await change(client, updates, { results: [result(1)] });
      assert.deepEqual(await tags(), ['blue;red', null]);
      await change(client, anchors, { tags: [{ DocId: 1, popularSocialTags: null }] });
      assert.deepEqual(await tags(), [null, null]);
    }));

  test('MS-SQLPGAT2 3.1.5.90, 2.2.3.13: action 1 sets the duplicate hashes, 2 leaves them, any other sets NULL', () =>
    withSearch(async ({ client }) => {
      await change(client, inserts, { sdIds: [secured(1, 1), secured(2, 2), secured(3, 0)] });
      assert.deepEqual(await kept(client), [
        [1, 5, hashes],
        [2, 5, null],
        [3, 5, null],
      ]);
      await change(client, updates, { sdIds: [secured(1, 2, 6), secured(2, 1, 6)] });
      assert.deepEqual((await kept(client)).slice(0, 2), [
        [1, 6, hashes],
        [2, 6, hashes],
      ]);
      await change(client, updates, { sdIds: [secured(1, 9, 7)] });
      assert.deepEqual((await kept(client))[0], [1, 7, null]);
    }));

  test('MS-SQLPGAT2 2.2.3.14: records of 60 bytes are taken too', () =>
    withSearch(async ({ client }) => {
      const { rows: docSdIdsRows, records: docSdIdsBlob } = pack(docSdIdsIn60, [secured(1, 1), secured(2, 0)]);
      await change(client, inserts, {}, { docSdIdsRows, docSdIdsBlob });
      assert.deepEqual(await kept(client), [
        [1, 5, hashes],
        [2, 5, null],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.90: a URL that was never seen gives its document the properties 321 and 322', () =>
    withSearch(async ({ client }) => {
      await change(client, inserts, { signatures: [signature(1, 100n, 1, 1n, 50n)] });
      assert.deepEqual(await properties(client), [
        [1, 321, 50, null],
        [1, 322, 50, null],
      ]);
      for (const queue of [updates, anchors]) {
        await change(client, queue, { signatures: [signature(queue, BigInt(queue), 1, 1n, 50n)] });
      }
      assert.equal((await properties(client)).length, 2, 'unless only changes come');
    }));

  test('MS-SQLPGAT2 3.1.5.90: 322 moves when the content changed under the same schema, and otherwise stays', () =>
    withSearch(async ({ client }) => {
      const seen = async (schema: number, content: bigint, time: bigint, queue = inserts) => {
        await change(client, queue, { signatures: [signature(1, 100n, schema, content, time)] });
        return (await properties(client)).map((row) => row[2]);
      };
      assert.deepEqual(await seen(1, 1n, 50n), [50, 50]);
      assert.deepEqual(await seen(1, 1n, 60n), [50, 50], 'nothing changed');
      assert.deepEqual(await seen(1, 2n, 70n, updates), [50, 70], 'the content did');
      assert.deepEqual(await seen(2, 3n, 80n), [50, 70], 'under another schema');
      assert.deepEqual(await seen(2, 4n, 90n), [50, 90], 'which is now the known one');
    }));

  test('MS-SQLPGAT2 3.1.5.90: what is known of a URL outlives its document, and is there again after a repair', () =>
    withSearch(async ({ client }) => {
      await change(client, inserts, { signatures: [signature(1, 100n, 1, 1n, 50n)] });
      await change(client, repairs, { add: [property(1, 2, 7n)], signatures: [signature(1, 100n, 1, 1n, 60n)] });
      assert.deepEqual(await properties(client), [
        [1, 2, 7, null],
        [1, 321, 50, null],
        [1, 322, 50, null],
      ]);
      await change(client, updates, { documents: [1] });
      assert.deepEqual(await properties(client), []);
      await change(client, inserts, { signatures: [signature(9, 100n, 1, 1n, 70n)] });
      assert.deepEqual(await properties(client), [
        [9, 321, 50, null],
        [9, 322, 50, null],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.90, 2.2.3.17: definitions are set by document and term', () =>
    withSearch(async ({ client }) => {
      await change(client, inserts, {
        definitions: [defined(1, 'TDS', 'a TDS'), defined(1, 'SQL', 'a SQL'), defined(2, null, 'x')],
      });
      await change(client, updates, { definitions: [defined(1, 'tds', 'the tds')] });
      assert.deepEqual(
        (await rows(client, 'Definitions', 'DocId, Term')).map((row) => Object.values(row)),
        [
          [1, 'SQL', 'a SQL', 3, 1],
          [1, 'tds', 'the tds', 3, 1],
          [2, null, 'x', 3, 1],
        ],
      );
    }));

  test('MS-SQLPGAT2 2.2.3.17: a term of any length is kept, and set anew whatever the case of its letters', () =>
    withSearch(async ({ client }) => {
      const term = `${denseText(3000)}a`;
      await change(client, inserts, { definitions: [defined(1, term, 'first'), defined(1, `${term}b`, 'other')] });
      await change(client, updates, { definitions: [defined(1, term.toUpperCase(), 'second')] });
      const kept = (await rows(client, 'Definitions', 'Sentence')).map((row) => [row['Term'], row['Sentence']]);
      assert.deepEqual(kept, [
        [`${term}b`, 'other'],
        [term.toUpperCase(), 'second'],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.90: documents that leave take everything with them; a repair clears table by table', () =>
    withSearch(async ({ client }) => {
      const whole = (DocId: number) => ({
        add: [property(DocId, 2, 1n)],
        results: [result(DocId)],
        sdIds: [secured(DocId, 1)],
        definitions: [defined(DocId, 'TDS', 'a TDS')],
      });
      const counts = async () => {
        const tables = ['MSSDocProps', 'MSSDocResults', 'MSSDocSdIds', 'Definitions'];
        const found: number[] = [];
        for (const table of tables) found.push((await rows(client, table)).length);
        return found;
      };
      await change(client, inserts, whole(1));
      await change(client, inserts, whole(2));
      assert.deepEqual(await counts(), [2, 2, 2, 2]);
      await change(client, repairs, { definitions: [defined(1, 'SQL', 'a SQL')], sdIds: [secured(1, 2)] });
      assert.deepEqual(await counts(), [2, 2, 2, 2]);
      assert.deepEqual(await kept(client), [
        [1, 5, null],
        [2, 5, hashes],
      ]);
      await change(client, updates, { documents: [1, 2, 3] });
      assert.deepEqual(await counts(), [0, 0, 0, 0]);
    }));
});
