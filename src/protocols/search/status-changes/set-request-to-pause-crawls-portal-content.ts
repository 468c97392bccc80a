import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int } from '../../../tds/types/index.ts';
import { done } from '../outcomes.ts';
import { projectKeys } from './project-names.ts';

/** The only reason that the procedure takes: databases are refactored. */
const refactoring = 0x20;

export const setRequestToPauseCrawlsPortalContent = procedure({
  name: 'proc_MSS_SetRequestToPauseCrawlsPortalContent',
  section: 'MS-SQLPGAT2 3.1.5.79',
  summary: 'Asks all components to pause crawls of the portal content while databases are refactored.',
  access: 'write',
  params: { Reason: nullable(int, '0x20.') },
  outcomes: done,
  async handle({ db }, { Reason }) {
    if (Reason !== refactoring) throw ruleBroken(`The reason to pause is ${Reason ?? 'NULL'}; it must be 0x20.`);
    await db.run(sql`
      update component_activity set dpr_crawls = dpr_crawls | ${refactoring}
      where project_name_key = ${projectKeys.portalContent}`);
    return { outcome: 'done' };
  },
});
