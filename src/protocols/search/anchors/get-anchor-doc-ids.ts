import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { int } from '../../../tds/types/index.ts';

const documents = { TargetDocID: int };

export const getAnchorDocIDs = procedure({
  name: 'proc_MSS_GetAnchorDocIDs',
  section: 'MS-SQLPGAT2 3.1.5.15',
  summary: 'Lists the documents that an anchor crawl has to process.',
  access: 'read',
  params: {},
  outcomes: { found: { code: 0, meaning: 'The documents, each once, in order.', sets: { documents } } },
  handle({ db }) {
    const rows = db.rows(
      documents,
      sql`select distinct target_doc_id as "TargetDocID" from anchor_changes order by target_doc_id`,
    );
    return { outcome: 'found', sets: { documents: rows } };
  },
});
