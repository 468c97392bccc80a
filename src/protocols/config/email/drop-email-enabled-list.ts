import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { RequestGuid } from '../common.ts';
import { ListId, SiteId, WebId } from './params.ts';

export const dropEmailEnabledList = procedure({
  name: 'proc_dropEmailEnabledList',
  section: 'MS-WSSCFGD2 3.1.5.15',
  summary: 'Removes the e-mail alias of a list, unless it is marked for deletion.',
  access: 'write',
  params: { SiteId, WebId, ListId, RequestGuid },
  outcomes: { done: { code: 0, meaning: 'The list has no alias in use.' } },
  async handle({ db }, { SiteId, WebId, ListId }) {
    await db.run(sql`
      delete from email_enabled_lists
      where site_id = ${SiteId} and web_id = ${WebId} and list_id = ${ListId} and deleted = 0`);
    return { outcome: 'done' };
  },
});
