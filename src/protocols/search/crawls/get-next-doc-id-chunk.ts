import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, output } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';

/** Document identifiers in a chunk. */
const groupSize = 100_000;
/** The greatest possible document identifier: an int. */
const mostDocId = 0x7fffffff;

const group = { first: int, last: int };

export const getNextDocIDChunk = procedure({
  name: 'proc_MSS_GetNextDocIDChunk',
  section: 'MS-SQLPGAT2 3.1.5.47',
  summary: 'Assigns a crawl store the chunk of document identifiers that contains its greatest one, or a new chunk.',
  access: 'serial',
  params: {
    GthrDBID: nullable(int, 'The ordinal of the crawl store.'),
    CurrentMaxDocID: nullable(int, 'The greatest document identifier in it.'),
    NewNextDocID: output(int, 'The first identifier of the group.'),
    NewMaxDocID: output(int, 'The last identifier of the group.'),
  },
  outcomes: done,
  async handle({ db }, { GthrDBID, CurrentMaxDocID }) {
    const store = GthrDBID ?? 0;
    const current = CurrentMaxDocID ?? 0;
    const known = await db.first(
      group,
      sql`
        select first_doc_id as "first", last_doc_id as "last" from doc_id_groups
        where crawl_store = ${store} and first_doc_id <= ${current} and last_doc_id > ${current} and is_invalidated = 0
        order by first_doc_id limit 1`,
    );
    if (known) return { outcome: 'done', output: { NewNextDocID: known.first, NewMaxDocID: known.last } };
    const before = await db.first(
      { last: int },
      sql`select coalesce(max(last_doc_id), 0) as "last" from doc_id_groups`,
    );
    const first = (before?.last ?? 0) + 1;
    if (first > mostDocId) throw ruleBroken('There are no document identifiers left.');
    const last = Math.min(first + groupSize - 1, mostDocId);
    await db.run(sql`
      insert into doc_id_groups (first_doc_id, last_doc_id, crawl_store) values (${first}, ${last}, ${store})`);
    return { outcome: 'done', output: { NewNextDocID: first, NewMaxDocID: last } };
  },
});
