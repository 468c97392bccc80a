import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { RequestGuid } from '../common.ts';
import { Alias } from './params.ts';

export const dropEmailEnabledListByAlias = procedure({
  name: 'proc_dropEmailEnabledListByAlias',
  section: 'MS-WSSCFGD2 3.1.5.16',
  summary: 'Removes an e-mail alias, marked for deletion or not, so that it can be used again.',
  access: 'write',
  params: { Alias, RequestGuid },
  outcomes: { done: { code: 0, meaning: 'The alias is free.' } },
  async handle({ db }, { Alias }) {
    if (Alias !== null) await db.run(sql`delete from email_enabled_lists where alias_key = ${fold(Alias)}`);
    return { outcome: 'done' };
  },
});
