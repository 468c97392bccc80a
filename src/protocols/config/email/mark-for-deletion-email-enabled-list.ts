import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { RequestGuid } from '../common.ts';
import { ListId, SiteId, WebId } from './params.ts';

export const markForDeletionEmailEnabledList = procedure({
  name: 'proc_markForDeletionEmailEnabledList',
  section: 'MS-WSSCFGD2 3.1.5.46',
  summary: 'Marks the e-mail alias of a list for deletion; it stays taken until it is dropped.',
  access: 'write',
  params: { SiteId, WebId, ListId, RequestGuid },
  outcomes: { done: { code: 0, meaning: 'What the list had is marked.' } },
  async handle({ db }, { SiteId, WebId, ListId }) {
    await db.run(sql`
      update email_enabled_lists set deleted = 1
      where site_id = ${SiteId} and web_id = ${WebId} and list_id = ${ListId} and deleted = 0`);
    return { outcome: 'done' };
  },
});
