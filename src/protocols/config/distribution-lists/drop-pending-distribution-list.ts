import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

export const dropPendingDistributionList = procedure({
  name: 'proc_dropPendingDistributionList',
  aliases: ['proc_dropPendingDistribution'],
  section: 'MS-WSSCFGD2 3.1.5.19',
  summary: "Removes the record that a permission level's distribution list has an operation pending.",
  access: 'write',
  params: {
    SiteId: nullable(uniqueidentifier, 'The site collection.'),
    WebId: nullable(uniqueidentifier, 'The site.'),
    GroupName: nullable(nvarchar(255), 'The permission level.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'No operation is pending.' } },
  async handle({ db }, { SiteId, WebId, GroupName }) {
    await db.run(sql`
      delete from pending_distribution_lists
      where site_id = ${SiteId} and web_id = ${WebId} and group_key = ${GroupName === null ? null : fold(GroupName)}`);
    return { outcome: 'done' };
  },
});
