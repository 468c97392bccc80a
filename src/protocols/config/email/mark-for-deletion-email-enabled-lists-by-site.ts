import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { RequestGuid } from '../common.ts';
import { SiteId } from './params.ts';

export const markForDeletionEmailEnabledListsBySite = procedure({
  name: 'proc_markForDeletionEmailEnabledListsBySite',
  section: 'MS-WSSCFGD2 3.1.5.47',
  summary: 'Marks the e-mail aliases of all lists of a site collection for deletion.',
  access: 'write',
  params: { SiteId, RequestGuid },
  outcomes: { done: { code: 0, meaning: 'What the lists had is marked.' } },
  async handle({ db }, { SiteId }) {
    await db.run(sql`update email_enabled_lists set deleted = 1 where site_id = ${SiteId} and deleted = 0`);
    return { outcome: 'done' };
  },
});
