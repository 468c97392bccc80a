import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { required } from '../../../procedure/param.ts';
import { nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { emptyGuid, RequestGuid } from '../common.ts';

const entry = { SiteId: uniqueidentifier, WebId: uniqueidentifier, ListId: uniqueidentifier };

export const putEmailEnabledList = procedure({
  name: 'proc_putEmailEnabledList',
  section: 'MS-WSSCFGD2 3.1.5.52',
  summary: 'Gives a list an e-mail alias, or changes the alias that it has.',
  access: 'write',
  params: {
    Alias: required(nvarchar(128), 'The e-mail alias.'),
    SiteId: required(uniqueidentifier, 'The site collection.'),
    WebId: required(uniqueidentifier, 'The site.'),
    ListId: required(uniqueidentifier, 'The list.'),
    RequestGuid,
  },
  outcomes: {
    stored: { code: 0, meaning: 'The list has the alias.' },
    aliasInUse: { code: 1, meaning: 'The alias belongs to another list or distribution list, marked or not.' },
  },
  async handle({ db }, { Alias, SiteId, WebId, ListId }) {
    // Empty GUIDs mean a distribution list (2.2.6.2), which only proc_putDistributionListToDelete stores.
    if (SiteId === emptyGuid && WebId === emptyGuid && ListId === emptyGuid) {
      throw ruleBroken('proc_putEmailEnabledList: @SiteId, @WebId and @ListId must name a list.');
    }
    const key = fold(Alias);
    const holder = await db.first(
      entry,
      sql`
        select site_id as "SiteId", web_id as "WebId", list_id as "ListId"
        from email_enabled_lists where alias_key = ${key}`,
    );
    if (holder && (holder.SiteId !== SiteId || holder.WebId !== WebId || holder.ListId !== ListId)) {
      return { outcome: 'aliasInUse' };
    }
    // A list has one alias in use; aliases of it that are marked still have to be removed outside, so they stay.
    await db.run(sql`
      delete from email_enabled_lists
      where site_id = ${SiteId} and web_id = ${WebId} and list_id = ${ListId} and deleted = 0`);
    await db.run(sql`
      insert into email_enabled_lists (alias_key, alias, site_id, web_id, list_id, deleted)
      values (${key}, ${Alias}, ${SiteId}, ${WebId}, ${ListId}, 0)
      on conflict (alias_key) do update set alias = excluded.alias, deleted = 0`);
    return { outcome: 'stored' };
  },
});
