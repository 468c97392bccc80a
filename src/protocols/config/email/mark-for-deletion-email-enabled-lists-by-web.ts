import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { RequestGuid } from '../common.ts';
import { SiteId, WebId } from './params.ts';

export const markForDeletionEmailEnabledListsByWeb = procedure({
  name: 'proc_markForDeletionEmailEnabledListsByWeb',
  aliases: ['proc_markForDeletionEmailEnabledByWeb'],
  section: 'MS-WSSCFGD2 3.1.5.48',
  summary: 'Marks the e-mail aliases of all lists of a site for deletion.',
  access: 'write',
  params: { SiteId, WebId, RequestGuid },
  outcomes: { done: { code: 0, meaning: 'What the lists had is marked.' } },
  async handle({ db }, { SiteId, WebId }) {
    await db.run(sql`
      update email_enabled_lists set deleted = 1
      where site_id = ${SiteId} and web_id = ${WebId} and deleted = 0`);
    return { outcome: 'done' };
  },
});
