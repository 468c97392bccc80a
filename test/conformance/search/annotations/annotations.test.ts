import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../../src/engine/db.ts';
import { prepareForAnnotationsUpdate } from '../../../../src/protocols/search/annotations/prepare-for-annotations-update.ts';
import { setAnnotationsPendingStatus } from '../../../../src/protocols/search/annotations/set-annotations-pending-status.ts';
import { truncateAnnotationsTables } from '../../../../src/protocols/search/annotations/truncate-annotations-tables.ts';
import { searchCrawl } from '../../../../src/protocols/search/kinds/search-crawl.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachSearch } from '../with-search.ts';

const at = (day: number) => new Date(Date.UTC(2024, 0, day));
const [done, fullDone, processed] = [1, 2, 3];

const setStatus = async (client: TestClient, day: number, Status: number | null) => {
  const answer = await client.callLoosely(setAnnotationsPendingStatus, {
    ObsoleteTime: at(day - 1),
    UpdateTime: at(day),
    Status,
  });
  assert.deepEqual([answer.status, answer.sets], [0, []]);
};
const prepare = async (client: TestClient) => {
  const { status, sets, output } = await client.call(prepareForAnnotationsUpdate, {});
  assert.deepEqual([status, sets], [0, []]);
  return [output['LastUpdateTime'], output['LastFullUpdateTime'], output['IsReadyForUpdate']];
};
const add = (database: Database) =>
  database.write(async (db) => {
    await db.insert(
      'annotations_pending',
      ['target_display_url', 'target_display_hash', 'annotation_numeric', 'pid', 'lcid', 'update_time'],
      [['http://a', 1, 1, 306, 1033, at(1)]],
    );
    await db.insert(
      'annotations',
      ['target_doc_id', 'pid', 'update_time', 'lcid', 'annotation_numeric'],
      [[1, 306, at(1), 1033, 1]],
    );
  });
const counts = async (client: TestClient) =>
  (
    await client.batch(`
      select count(*) as n from MSSAnnotationsPending
      union all select count(*) from PendingAnnotationsStatus
      union all select count(*) from Annotations`)
  ).sets[0]?.map((row) => row['n']);

forEachSearch(searchCrawl, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.64: without a status an import may begin, and the pending annotations are gone', () =>
    withSearch(async ({ client, database }) => {
      await add(database);
      assert.deepEqual(await prepare(client), [null, null, true]);
      assert.deepEqual(await counts(client), [0, 0, 1]);
    }));

  for (const status of [done, fullDone]) {
    test(`MS-SQLPGAT2 3.1.5.64: with status ${status} an import may begin`, () =>
      withSearch(async ({ client, database }) => {
        await setStatus(client, 5, status);
        await add(database);
        assert.deepEqual(await prepare(client), [at(5), at(5), true]);
        assert.deepEqual(await counts(client), [0, 1, 1]);
      }));
  }

  test('MS-SQLPGAT2 3.1.5.64: while pending annotations are processed nothing is changed', () =>
    withSearch(async ({ client, database }) => {
      await setStatus(client, 5, processed);
      await add(database);
      assert.deepEqual(await prepare(client), [at(5), at(5), false]);
      assert.deepEqual(await counts(client), [1, 1, 1]);
    }));

  test('MS-SQLPGAT2 3.1.5.84: the first status sets all times, later ones that of full imports only with status 2', () =>
    withSearch(async ({ client }) => {
      await setStatus(client, 5, done);
      await setStatus(client, 6, done);
      assert.deepEqual(await prepare(client), [at(6), at(5), true]);
      await setStatus(client, 7, fullDone);
      assert.deepEqual(await prepare(client), [at(7), at(7), true]);
      await setStatus(client, 8, processed);
      assert.deepEqual(await prepare(client), [at(8), at(7), false]);
      const { sets } = await client.batch('select ObsoleteTime, Status from PendingAnnotationsStatus');
      assert.deepEqual(sets[0], [{ ObsoleteTime: at(7), Status: processed }]);
    }));

  test('MS-SQLPGAT2 3.1.5.84: a status other than 1, 2 and 3 is refused', () =>
    withSearch(async ({ client }) => {
      for (const status of [0, 4, -1]) await assert.rejects(setStatus(client, 5, status), { number: 50000 });
      await assert.rejects(setStatus(client, 5, null), { number: 515 });
      assert.deepEqual(await counts(client), [0, 0, 0]);
    }));

  test('MS-SQLPGAT2 3.1.5.85: empties the pending annotations and their status, and keeps the annotations', () =>
    withSearch(async ({ client, database }) => {
      await setStatus(client, 5, processed);
      await add(database);
      const answer = await client.call(truncateAnnotationsTables, {});
      assert.deepEqual([answer.status, answer.sets], [0, []]);
      assert.deepEqual(await counts(client), [0, 0, 1]);
      assert.deepEqual(await prepare(client), [null, null, true]);
    }));
});
