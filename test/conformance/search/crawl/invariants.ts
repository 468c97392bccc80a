import assert from 'node:assert/strict';
import { sql } from '../../../../src/engine/sql.ts';
import { number } from '../../../../src/protocols/search/gather/values.ts';
import type { Store } from './farm.ts';

/** What holds of a crawl store whatever was called: each entry is a rule and a query for what breaks it. */
const rules = {
  'a document is in at most one batch': sql`
    select doc_id from crawl_queue where batch_id <> 0 group by doc_id having min(batch_id) <> max(batch_id)`,
  'an item of the queue has a record in the history, unless its document was deleted while it was in a batch': sql`
    select q.doc_id from crawl_queue q
    where q.batch_id = 0 and not exists (select 1 from crawl_history h where h.doc_id = q.doc_id)`,
  'an item that is in a batch belongs to a component, and no other does': sql`
    select doc_id from crawl_queue where (batch_id <> 0 and component_id is null) or (batch_id = 0 and component_id is not null)`,
  'an identifier of a document is not free': sql`
    select f.doc_id from free_doc_ids f join crawl_history h on h.doc_id = f.doc_id`,
  'an identifier in the rest of the chunk is not in use': sql`
    select h.doc_id from crawl_history h join doc_id_chunk c on h.doc_id between c.first_doc_id and c.last_doc_id`,
  'a URL has one record that is not to be deleted': sql`
    select min(doc_id) as doc_id from crawl_history
    where delete_pending = 0 and project_id = 1 group by access_hash, access_key having count(*) > 1`,
  'a completed crawl leaves no link, item or colleague': sql`
    select c.crawl_id as doc_id from completed_crawls c
    where exists (select 1 from crawl_links l where l.crawl_id = c.crawl_id)
      or exists (select 1 from crawl_queue q where q.crawl_id = c.crawl_id)
      or exists (select 1 from colleague_links l where l.crawl_id = c.crawl_id)`,
} as const;

/** Checks them. */
export async function checkInvariants({ database }: Store): Promise<void> {
  for (const [rule, broken] of Object.entries(rules)) {
    const found = await database.read((db) =>
      db.all({ id: number }, sql`select doc_id as "id" from (${broken}) broken limit 5`),
    );
    assert.deepEqual(found, [], rule);
  }
}
