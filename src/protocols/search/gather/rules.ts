import { sql } from '../../../engine/sql.ts';
import type { Rule } from '../../../procedure/kind.ts';

/** Invariants of a crawl store. */
export const gatherRules: readonly Rule[] = [
  {
    rule: 'a document is in at most one batch',
    broken: sql`
      select doc_id as broken from crawl_queue where batch_id <> 0 group by doc_id having min(batch_id) <> max(batch_id)`,
  },
  {
    rule: 'an item of the queue has a record in the history, unless its document was deleted while it was in a batch',
    broken: sql`
      select q.doc_id as broken from crawl_queue q
      where q.batch_id = 0 and not exists (select 1 from crawl_history h where h.doc_id = q.doc_id)`,
  },
  {
    rule: 'an item that is in a batch belongs to a component, and no other does',
    broken: sql`
      select doc_id as broken from crawl_queue where (batch_id <> 0 and component_id is null) or (batch_id = 0 and component_id is not null)`,
  },
  {
    rule: 'an identifier of a document is not free',
    broken: sql`
      select f.doc_id as broken from free_doc_ids f join crawl_history h on h.doc_id = f.doc_id`,
  },
  {
    rule: 'an identifier in the rest of the chunk is not in use',
    broken: sql`
      select h.doc_id as broken from crawl_history h join doc_id_chunk c on h.doc_id between c.first_doc_id and c.last_doc_id`,
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
