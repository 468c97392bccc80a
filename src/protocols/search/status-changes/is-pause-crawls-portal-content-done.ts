import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { int } from '../../../tds/types/index.ts';
import { isActive } from './active.ts';
import { projectKeys } from './project-names.ts';

export const isPauseCrawlsPortalContentDone = procedure({
  name: 'proc_MSS_IsPauseCrawlsPortalContentDone',
  section: 'MS-SQLPGAT2 3.1.5.63',
  summary: 'Returns whether every active component has paused crawls of the portal content.',
  access: 'read',
  params: {},
  outcomes: {
    notPaused: { code: 0, meaning: 'At least one is not paused.' },
    paused: { code: 1, meaning: 'All are paused.' },
  },
  async handle({ db }) {
    const lagging = await db.first(
      { there: int },
      sql`
        select 1 as "there" from component_activity a
        where a.project_name_key = ${projectKeys.portalContent} and (a.cpr_crawls <> a.dpr_crawls or a.dpr_crawls = 0)
          and ${isActive} limit 1`,
    );
    return { outcome: lagging ? 'notPaused' : 'paused' };
  },
});
