import assert from 'node:assert/strict';
import { sql } from '../../../../src/engine/sql.ts';
import type { Rule } from '../../../../src/procedure/kind.ts';
import { gatherRules } from '../../../../src/protocols/search/gather/rules.ts';
import { number } from '../../../../src/protocols/search/gather/values.ts';
import type { Store } from './farm.ts';

/** What holds besides where clients keep to the sequences of 3.2.5. */
const inSequence: readonly Rule[] = [
  {
    rule: 'an item of the queue has a record in the history, unless its document was deleted while it was in a batch',
    broken: sql`
      select q.doc_id as broken from crawl_queue q
      where q.batch_id = 0 and not exists (select 1 from crawl_history h where h.doc_id = q.doc_id)`,
  },
  {
    rule: 'a completed crawl leaves no link, item or colleague',
    broken: sql`
      select c.crawl_id as broken from completed_crawls c
      where exists (select 1 from crawl_links l where l.crawl_id = c.crawl_id)
        or exists (select 1 from crawl_queue q where q.crawl_id = c.crawl_id)
        or exists (select 1 from colleague_links l where l.crawl_id = c.crawl_id)`,
  },
];

/** Checks what holds of a crawl store in which clients keep to the sequences. */
export const checkInvariants = (store: Store): Promise<void> => check(store, [...gatherRules, ...inSequence]);

/** Checks what holds of every crawl store: what `granary check` would call damage. */
export const checkUndamaged = (store: Store): Promise<void> => check(store, gatherRules);

async function check({ database }: Store, rules: readonly Rule[]): Promise<void> {
  for (const { rule, broken } of rules) {
    const found = await database.read((db) =>
      db.all({ broken: number }, sql`select broken as "broken" from (${broken}) b limit 5`),
    );
    assert.deepEqual(found, [], rule);
  }
}
