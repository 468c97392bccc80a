import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { int } from '../../../tds/types/index.ts';

export const getPauseCrawlsReasons = procedure({
  name: 'proc_MSS_GetPauseCrawlsReasons',
  section: 'MS-SQLPGAT2 3.1.5.48',
  summary: 'Returns, as its return code, why crawls are to be paused.',
  access: 'read',
  params: {},
  outcomes: { reasons: { code: int, meaning: 'Pause Crawls Reasons (2.2.2.1); 0 for none.' } },
  async handle({ db }) {
    const row = await db.first(
      { reasons: int },
      sql`select coalesce(max(dpr_crawls), 0) as "reasons" from component_activity`,
    );
    return { outcome: 'reasons', returns: row?.reasons ?? 0 };
  },
});
