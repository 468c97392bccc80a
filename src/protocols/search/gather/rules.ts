import { sql } from '../../../engine/sql.ts';
import type { Rule } from '../../../procedure/kind.ts';

/**
 * Invariants of a crawl store, whatever clients call and in whichever order: a link that comes after its crawl was
 * completed, and an item that is given back after its document was deleted, are no damage.
 */
export const gatherRules: readonly Rule[] = [
  {
    rule: 'a document is in at most one batch',
    broken: sql`
      select doc_id as broken from crawl_queue where batch_id <> 0 group by doc_id having min(batch_id) <> max(batch_id)`,
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
];
