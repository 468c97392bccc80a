import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { emptyGuid, notNull, RequestGuid } from '../common.ts';
import { Alias } from './params.ts';

export const putDistributionListToDelete = procedure({
  name: 'proc_putDistributionListToDelete',
  section: 'MS-WSSCFGD2 3.1.5.51',
  summary: "Records a distribution list's alias as marked for deletion.",
  access: 'write',
  params: { Alias, RequestGuid },
  outcomes: { done: { code: 0, meaning: 'The alias is recorded, or it was known already.' } },
  async handle({ db }, { Alias }) {
    const alias = notNull(Alias, 'Alias', 'EmailEnabledLists');
    // An alias that a list has is left alone: overwriting it would cut off a living list.
    await db.run(sql`
      insert into email_enabled_lists (alias_key, alias, site_id, web_id, list_id, deleted)
      values (${fold(alias)}, ${alias}, ${emptyGuid}, ${emptyGuid}, ${emptyGuid}, 1)
      on conflict (alias_key) do nothing`);
    return { outcome: 'done' };
  },
});
