import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { int } from '../../tds/types/index.ts';
import { hasOpenItem } from '../jobs/open-items.ts';

const counted = { Jobs: int };

export const hasActiveJobs = procedure({
  name: 'proc_HasActiveJobs',
  section: 'MS-TSSPROC 3.1.5.12',
  summary: 'Returns how many translation jobs are active: submitted, not cancelled, with an unfinished item.',
  access: 'read',
  params: {},
  outcomes: { counted: { code: int, meaning: 'The number of active jobs: 0 when there is none.' } },
  async handle({ db }) {
    const active = await db.first(
      counted,
      sql`
        select count(*) as "Jobs" from jobs j
        where j.submitted = 1 and j.cancel_time is null and ${hasOpenItem}`,
    );
    return { outcome: 'counted', returns: active?.Jobs ?? 0 };
  },
});
