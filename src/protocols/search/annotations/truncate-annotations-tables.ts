import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';

export const truncateAnnotationsTables = procedure({
  name: 'proc_MSS_TruncateAnnotationsTables',
  section: 'MS-SQLPGAT2 3.1.5.85',
  summary: 'Deletes the pending annotations and resets the status of their import.',
  access: 'write',
  params: {},
  outcomes: { done: { code: 0, meaning: 'There are none.' } },
  async handle({ db }) {
    await db.run(sql`delete from annotations_pending`);
    await db.run(sql`delete from annotations_pending_status`);
    return { outcome: 'done' };
  },
});
