import { sql } from '../../engine/sql.ts';
import { procedure } from '../../procedure/declare.ts';
import { int } from '../../tds/types/index.ts';
import { hasOpenItem } from '../jobs/open-items.ts';

export const hasActiveJobs = procedure({
  name: 'proc_HasActiveJobs',
  section: 'MS-WORDSSP 3.1.5.6',
  summary: 'Returns whether a conversion job is active: submitted, not cancelled, with an unfinished item.',
  access: 'read',
  params: {},
  outcomes: {
    idle: { code: 0, meaning: 'There are no active conversion jobs.' },
    active: { code: 1, meaning: 'There is at least one active conversion job.' },
  },
  async handle({ db }) {
    // The text prints "CancelTime is not NULL", which would call only cancelled jobs active; NULL is meant.
    const active = await db.first(
      { One: int },
      sql`
        select 1 as "One" from jobs j
        where j.submitted = 1 and j.cancel_time is null and ${hasOpenItem}
        limit 1`,
    );
    return { outcome: active === undefined ? 'idle' : 'active' };
  },
});
