import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TYPES } from 'tedious';
import { searchAdmin } from '../../../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../../../src/protocols/search/kinds/search-crawl.ts';
import type { RpcParameter, TestClient } from '../../../support/client.ts';
import { denseText } from '../../../support/nasty-text.ts';
import { forEachSearch } from '../with-search.ts';

const at = new Date('2024-01-01T00:00:00.000Z');
type Column = readonly [name: string, type: RpcParameter['type'], options: { length?: number; nullable: boolean }];
const columns: readonly Column[] = [
  ['TargetDisplayURL', TYPES.NVarChar, { length: 1500, nullable: false }],
  ['TargetDisplayHash', TYPES.Int, { nullable: false }],
  ['TargetDocID', TYPES.Int, { nullable: true }],
  ['AnnotationText', TYPES.NVarChar, { length: 1024, nullable: true }],
  ['AnnotationNumeric', TYPES.Int, { nullable: false }],
  ['Pid', TYPES.Int, { nullable: false }],
  ['LCID', TYPES.Int, { nullable: false }],
  ['UpdateTime', TYPES.DateTime, { nullable: false }],
];

/** Loads rows as drivers do: INSERT BULK, then a stream of rows. */
const load = (client: TestClient, rows: unknown[][], given = columns) =>
  new Promise<number>((resolve, reject) => {
    const bulk = client.connection.newBulkLoad('MSSAnnotationsPending', {}, (error, count) =>
      error ? reject(error) : resolve(count ?? 0),
    );
    for (const [name, type, options] of given) bulk.addColumn(name, type, options);
    client.connection.execBulkLoad(bulk, rows);
  });
const row = (n: number, more: Partial<Record<number, unknown>> = {}) =>
  Object.assign([`http://a/${n}`, n, null, `text ${n}`, n, 306, 1033, at], more);
const all = async (client: TestClient) =>
  (await client.batch('select * from MSSAnnotationsPending order by TargetDisplayHash')).sets[0]?.map((r) =>
    Object.values(r),
  );

forEachSearch(searchCrawl, (withSearch) => {
  test('MS-SQLPGAT2 3.1.1.9: clients fill the pending annotations by bulk load', () =>
    withSearch(async ({ client }) => {
      assert.equal(await load(client, [row(1), row(2, { 2: 7, 3: null })]), 2);
      assert.deepEqual(await all(client), [
        ['http://a/1', 1, null, 'text 1', 1, 306, 1033, at],
        ['http://a/2', 2, 7, null, 2, 306, 1033, at],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.1.9: with URLs and texts as long as their columns', () =>
    withSearch(async ({ client }) => {
      await load(client, [row(1, { 0: denseText(1500), 3: denseText(1024) })]);
      assert.deepEqual(await all(client), [row(1, { 0: denseText(1500), 3: denseText(1024) })]);
    }));

  test('MS-SQLPGAT2 3.1.1.9: and by INSERT; what they inserted they may change and delete', () =>
    withSearch(async ({ client }) => {
      await client.batch(`
        insert into MSSAnnotationsPending
          (TargetDisplayURL, TargetDisplayHash, AnnotationNumeric, Pid, LCID, UpdateTime)
        values (N'http://a/1', 1, 5, 306, 1033, '20240101'), (N'http://a/2', 2, 6, 307, 1033, '20240101')`);
      await client.batch("update MSSAnnotationsPending set TargetDocID = 9 where TargetDisplayURL = N'HTTP://A/1'");
      await client.batch('delete from MSSAnnotationsPending where TargetDisplayHash = 2');
      assert.deepEqual(await all(client), [['http://a/1', 1, 9, null, 5, 306, 1033, at]]);
    }));

  test('MS-SQLPGAT2 3.1.1.9: a load with a NULL where none may be is error 515 and keeps nothing', () =>
    withSearch(async ({ client }) => {
      const nullable = columns.map(([name, type, options]): Column => [name, type, { ...options, nullable: true }]);
      await assert.rejects(load(client, [row(1), row(2, { 4: null })], nullable), { number: 515 });
      assert.deepEqual(await all(client), []);
    }));

  test('MS-SQLPGAT2 3.1.1.9: a load with a column that there is not is an error and keeps nothing', () =>
    withSearch(async ({ client }) => {
      const wrong = columns.map(([name, ...rest]): Column => [name === 'Pid' ? 'Colour' : name, ...rest]);
      // tedious sends the rows all the same, and tells of what came first in words of its own.
      await assert.rejects(load(client, [row(1)], wrong), /schema of the BulkLoad does not match/);
      assert.deepEqual(await all(client), []);
    }));

  test('MS-SQLPGAT2 3.1.1.37: annotations themselves are only read', () =>
    withSearch(async ({ client }) => {
      await assert.rejects(client.batch('delete from Annotations'), { number: 229 });
      await assert.rejects(client.batch('delete from PendingAnnotationsStatus'), { number: 229 });
    }));
});

forEachSearch(searchAdmin, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.52, 3.1.5.68: the front end fills the query log, and who samples the counts of samples', () =>
    withSearch(async ({ client }) => {
      await client.batch(`
        insert into RawQueryLog (URL, QueryString, QueryLCID, Time, Clicked) values (N'http://a', N'q', 1033, '20240105', 1)
        insert into SampleCrawledProperties (CrawledPropertyId, CPCount) values (1, 50)
        update SampleCrawledProperties set CPCount = CPCount + 1`);
      const { sets } = await client.batch(`
        exec proc_MSS_QLog_GetRelevanceUpdateData '20240101', '20240101', '20240201'
        exec proc_MSS_GetSampleExtremes 50, 0`);
      assert.deepEqual(
        sets.map((rows) => rows.map((r) => Object.values(r))),
        [[['http://a', 0, 'q', 1033, 1]], [['http://a', 0, 1, 0, 0]], [[1, 51]]],
      );
    }));
});
