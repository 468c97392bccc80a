import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Database } from '../../src/engine/db.ts';
import { sql } from '../../src/engine/sql.ts';
import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import type { TestClient } from '../support/client.ts';
import { forEachEngine } from '../support/engines.ts';
import { longestUsualTurn } from '../support/longest-turn.ts';
import { startServer, type TestServer } from '../support/server.ts';

// Alone in its process: it measures how long others wait for the event loop.

const columns = ['target_display_url', 'target_display_hash', 'annotation_numeric', 'pid', 'lcid', 'update_time'];

/** Who changes many rows in one statement; each leaves as many as there were, or none. */
const authors: Readonly<Record<string, string>> = {
  'a procedure of a protocol': 'exec proc_MSS_TruncateAnnotationsTables',
  DELETE: 'delete MSSAnnotationsPending where Pid >= 0',
  'DELETE without a condition': 'delete MSSAnnotationsPending',
  UPDATE: 'update MSSAnnotationsPending set LCID = 1031 where Pid >= 0',
  'UPDATE in a transaction of its own':
    'begin tran update MSSAnnotationsPending set LCID = 7 where Pid = -1 update MSSAnnotationsPending set LCID = 1033 commit',
  'TRUNCATE TABLE': 'truncate table MSSAnnotationsPending',
};

/** Milliseconds of the server's thread; a statement may take 10 of them before it goes elsewhere. */
const bound = 40;

forEachEngine((engine) => {
  const rows = engine === 'sqlite' ? 200_000 : 10_000;

  describe('a statement that changes many rows leaves other sessions their turn', () => {
    let server: TestServer;
    let client: TestClient;
    let innocent: TestClient;
    let database: Database;
    before(async () => {
      server = await startServer({ engine, kinds: [searchCrawl] });
      client = await server.connect(searchCrawl.firstDatabase);
      innocent = await server.connect('master');
      const opened = await server.granary.engine.open(searchCrawl.firstDatabase);
      assert.ok(opened);
      database = opened;
    });
    after(() => server[Symbol.asyncDispose]());
    const fill = () =>
      database.write(async (db) => {
        await db.truncate('annotations_pending');
        const all = function* () {
          for (let id = 0; id < rows; id++) yield [`http://example.com/page/${id}`, id, 0, id % 100, 1033, 0];
        };
        await db.insert('annotations_pending', columns, all());
      });
    beforeEach(fill);

    for (const [author, text] of Object.entries(authors)) {
      test(author, async () => {
        let calls = 0;
        const attack = async () => {
          let isOver = false;
          const over = client.batch(text).finally(() => {
            isOver = true;
          });
          while (!isOver) {
            await innocent.batch('select 1 as x');
            calls++;
          }
          await over;
        };
        let first = true;
        const work = async () => {
          if (!first) await fill();
          first = false;
          await attack();
        };
        const longest = await longestUsualTurn(work, bound, 4);
        assert.ok(longest < bound, `others waited for ${longest} ms`);
        assert.ok(calls > 0);
        const left = await database.read((db) =>
          db.first({ n: { fromStore: Number } }, sql`select count(*) as n from annotations_pending`),
        );
        assert.equal(left?.n, text.includes('update') ? rows : 0);
      });
    }
  });

  test('a copy of many rows by INSERT SELECT leaves other sessions their turn', async () => {
    await using server = await startServer({ engine, kinds: [searchCrawl] });
    const client = await server.connect(searchCrawl.firstDatabase);
    const opened = await server.granary.engine.open(searchCrawl.firstDatabase);
    await opened?.write((db) =>
      db.insert(
        'annotations_pending',
        columns,
        Array.from({ length: rows / 10 }, (_, id) => [`http://example.com/${id}`, id, 0, 1, 1033, 0]),
      ),
    );
    const copy = `insert MSSAnnotationsPending (TargetDisplayURL, TargetDisplayHash, AnnotationNumeric, Pid, LCID, UpdateTime)
      select top ${rows / 10} TargetDisplayURL, TargetDisplayHash, AnnotationNumeric, Pid, LCID, UpdateTime from MSSAnnotationsPending`;
    const longest = await longestUsualTurn(() => client.batch(copy), bound, 4);
    assert.ok(longest < bound, `others waited for ${longest} ms`);
  });
});
