import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../../../src/engine/db.ts';
import { searchAdmin } from '../../../../src/protocols/search/kinds/search-admin.ts';
import { getRelevanceUpdateData } from '../../../../src/protocols/search/query-log/get-relevance-update-data.ts';
import type { TestClient } from '../../../support/client.ts';
import { denseText } from '../../../support/nasty-text.ts';
import { forEachSearch } from '../with-search.ts';

const at = (day: number) => new Date(Date.UTC(2024, 0, day));
type Entry = readonly [url: string, query: string, day: number, what: 'click' | 'last' | 'skip'];

const log = (database: Database, entries: readonly Entry[]) =>
  database.write((db) =>
    db.insert(
      'raw_query_log',
      ['url', 'query_string', 'query_lcid', 'logged_at', 'clicked', 'clicked_last'],
      entries.map(([url, query, day, what]) => [url, query, 1033, at(day), what !== 'skip', what === 'last']),
    ),
  );
const read = async (client: TestClient, from: number, cut: number, to: number) => {
  const { status, sets } = await client.call(getRelevanceUpdateData, {
    startDate: at(from),
    startUpdateDate: at(cut),
    endUpdateDateExcl: at(to),
  });
  assert.deepEqual([status, sets.length], [0, 2]);
  return sets.map((rows) => rows.map((row) => Object.values(row)).sort());
};

forEachSearch(searchAdmin, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.68: counts clicks by query, and clicks, skips and last clicks by URL', () =>
    withSearch(async ({ client, database }) => {
      await log(database, [
        ['http://a', 'one', 1, 'click'],
        ['http://a', 'one', 2, 'last'],
        ['http://a', 'two', 3, 'skip'],
        ['http://a', 'two', 3, 'last'],
        ['http://b', 'two', 3, 'skip'],
      ]);
      assert.deepEqual(await read(client, 1, 1, 10), [
        [
          ['http://a', 0, 'one', 1033, 2],
          ['http://a', 0, 'two', 1033, 1],
        ],
        [
          ['http://a', 0, 3, 1, 2],
          ['http://b', 0, 0, 1, 0],
        ],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.68: a URL counts from the beginning if anything was recorded of it since the cut-off', () =>
    withSearch(async ({ client, database }) => {
      await log(database, [
        ['http://a', 'q', 1, 'click'],
        ['http://a', 'q', 5, 'skip'],
        ['http://b', 'q', 4, 'click'],
        ['http://c', 'q', 9, 'click'],
      ]);
      assert.deepEqual(await read(client, 1, 5, 9), [[['http://a', 0, 'q', 1033, 1]], [['http://a', 0, 1, 1, 0]]]);
      assert.deepEqual(await read(client, 2, 5, 9), [[], [['http://a', 0, 0, 1, 0]]]);
      assert.deepEqual(await read(client, 1, 6, 9), [[], []], 'the end is not counted');
    }));

  test('MS-SQLPGAT2 3.1.5.68: URLs and queries may be as long as their columns', () =>
    withSearch(async ({ client, database }) => {
      const longest = denseText(1024);
      await log(database, [
        [longest, longest, 1, 'click'],
        [longest, longest, 2, 'skip'],
      ]);
      assert.deepEqual(await read(client, 1, 1, 9), [[[longest, 0, longest, 1033, 1]], [[longest, 0, 1, 1, 0]]]);
    }));
});
