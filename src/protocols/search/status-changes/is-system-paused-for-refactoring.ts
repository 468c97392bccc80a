import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { isActive } from './active.ts';

export const isSystemPausedForRefactoring = procedure({
  name: 'proc_MSS_IsSystemPausedForRefactoring',
  section: 'MS-SQLPGAT2 3.1.5.4',
  summary: 'Returns whether every active component has paused crawls for a reason.',
  access: 'read',
  params: { Reason: nullable(int, 'Pause Crawls Reasons (2.2.2.1).') },
  outcomes: {
    notPaused: { code: 0, meaning: 'At least one has not paused for the reason.' },
    paused: { code: 1, meaning: 'All have paused for the reason.' },
  },
  async handle({ db }, { Reason }) {
    const reason = Reason ?? 0;
    // A pause always has a reason: if it names no flag, none is set.
    const isFlagSet = reason === 0 ? sql`1 = 0` : sql`(a.dpr_crawls & ${reason}) = ${reason}`;
    const lagging = await db.first(
      { there: int },
      sql`
        select 1 as "there" from component_activity a
        where not (a.cpr_crawls = a.dpr_crawls and ${isFlagSet}) and ${isActive} limit 1`,
    );
    return { outcome: lagging ? 'notPaused' : 'paused' };
  },
});
