import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { done } from '../outcomes.ts';

export const invalidateAdminDocIDChunks = procedure({
  name: 'proc_MSS_InvalidateAdminDocIDChunks',
  section: 'MS-SQLPGAT2 3.1.5.46',
  summary: 'Invalidates the document identifiers that crawl stores have not used yet.',
  access: 'write',
  params: {},
  outcomes: done,
  async handle({ db }) {
    await db.run(sql`update doc_id_groups set is_invalidated = 1`);
    return { outcome: 'done' };
  },
});
