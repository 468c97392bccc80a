import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';

export const updateDocCount = procedure({
  name: 'proc_MSS_UpdateDocCount',
  section: 'MS-SQLPGAT2 3.1.5.88',
  summary: 'Records how many documents a crawl store has.',
  access: 'write',
  params: {
    GthrDBID: nullable(int, 'The ordinal of the crawl store.'),
    DocCount: nullable(int, 'How many documents it has.'),
  },
  outcomes: done,
  async handle({ db }, { GthrDBID, DocCount }) {
    await db.run(sql`update crawl_stores set doc_count = ${DocCount ?? 0} where ordinal = ${GthrDBID}`);
    return { outcome: 'done' };
  },
});
