import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { RequestGuid } from '../common.ts';
import { SiteId, WebId } from './params.ts';

export const dropEmailEnabledListsByWeb = procedure({
  name: 'proc_dropEmailEnabledListsByWeb',
  section: 'MS-WSSCFGD2 3.1.5.17',
  summary: 'Removes the e-mail aliases of the lists of a site, except those marked for deletion.',
  access: 'write',
  params: { SiteId, WebId, RequestGuid },
  outcomes: { done: { code: 0, meaning: 'No list of the site has an alias in use.' } },
  async handle({ db }, { SiteId, WebId }) {
    await db.run(sql`
      delete from email_enabled_lists where site_id = ${SiteId} and web_id = ${WebId} and deleted = 0`);
    return { outcome: 'done' };
  },
});
