import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '../../src/client/client.ts';
import { conditionOf, itemsOf } from '../../src/console/routes/jobs/items.ts';
import { jobsLike } from '../../src/console/routes/jobs/jobs.ts';
import { sql } from '../../src/engine/sql.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { planOf } from '../support/plans.ts';
import { startServer } from '../support/server.ts';
import { asSa } from './sample-data.ts';

const { signal } = new AbortController();

/** What a page asks of the database, without an answer. */
async function asked(work: (client: Pick<Client, 'select'>) => Promise<unknown>) {
  const texts: { text: string; given: Record<string, unknown> }[] = [];
  const client: Pick<Client, 'select'> = {
    select: async (_columns, text, given = {}) => {
      texts.push({ text, given });
      return [];
    },
  };
  await work(client);
  return texts;
}

describe('pages over ten million items', () => {
  test('items and jobs are read off their keys: nothing is counted, sorted or stepped over', async () => {
    await using server = await startServer({ kinds: [translation] });
    await using client = asSa(server, translation.firstDatabase);
    const database = await server.granary.engine.open(translation.firstDatabase);
    assert.ok(database);
    const of = { number: 1n, group: 1, limit: 101 };
    const job = { Submitted: true, CancelTime: null };
    const texts = [
      ...(await asked((spy) => itemsOf(spy, { ...of, after: 9_000_000 }, signal))),
      ...(await asked((spy) => itemsOf(spy, { ...of, before: 9_000_000 }, signal))),
      ...(await asked((spy) => itemsOf(spy, { ...of, condition: conditionOf('failed', job), after: 5 }, signal))),
      ...(await asked((spy) => jobsLike(spy, { after: 77n, limit: 51 }, signal))),
      ...(await asked((spy) => jobsLike(spy, { state: 'waiting', limit: 51 }, signal))),
    ];
    for (const { text, given } of texts) {
      const shown = await client.session(async (session) => {
        await session.query('set showplan_text on');
        return session.query(text, given);
      });
      const lines = (shown.sets[0] ?? []).map((row) => String(row['StmtText']));
      // One line: the engine answers all of it.
      assert.deepEqual([text, lines.length], [text, 1]);
      const statement = /^\|--Engine\(([\s\S]*)\)$/.exec(lines[0] ?? '')?.[1] ?? assert.fail(lines[0]);
      const plan = await database.read((db) => planOf(db, { ...sql``, strings: [statement] }));
      const all = plan.join('\n');
      assert.doesNotMatch(all, /TEMP B-TREE|SCAN i\b/, all);
      if (text.includes('from Items'))
        assert.match(all, /SEARCH i USING PRIMARY KEY \(job_key=\? AND group_id=\? AND item_id[<>]\?\)/);
    }
  });
});
