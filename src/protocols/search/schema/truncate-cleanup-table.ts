import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { done } from '../outcomes.ts';

export const truncateCleanupTable = procedure({
  name: 'proc_MSS_TruncateCleanupTable',
  section: 'MS-SQLPGAT2 3.1.5.82',
  summary: 'Resets the sample counts of crawled properties; the samples are kept.',
  access: 'write',
  params: {},
  outcomes: done,
  async handle({ db }) {
    await db.run(sql`delete from crawled_property_samples`);
    return { outcome: 'done' };
  },
});
