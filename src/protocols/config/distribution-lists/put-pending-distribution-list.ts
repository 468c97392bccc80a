import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { notNull, RequestGuid } from '../common.ts';
import { takeVersions } from '../row-version.ts';

const table = 'PendingDistributionLists';

export const putPendingDistributionList = procedure({
  name: 'proc_putPendingDistributionList',
  section: 'MS-WSSCFGD2 3.1.5.55',
  summary: "Records that a permission level's distribution list has an operation pending.",
  access: 'serial',
  params: {
    SiteId: nullable(uniqueidentifier, 'The site collection.'),
    WebId: nullable(uniqueidentifier, 'The site.'),
    GroupName: nullable(nvarchar(255), 'The permission level.'),
    ModifiedBy: nullable(nvarchar(255), 'The login name of the user whose operation is pending.'),
    RequestGuid,
  },
  outcomes: {
    done: {
      code: 0,
      meaning: 'Recorded; a row with 0 where an operation was pending before the call, else no row.',
      // The specification gives the column no name.
      sets: { PutPendingDistributionList: { '': int } },
    },
  },
  async handle(call, input) {
    const site = notNull(input.SiteId, 'SiteId', table);
    const web = notNull(input.WebId, 'WebId', table);
    const group = notNull(input.GroupName, 'GroupName', table);
    const user = notNull(input.ModifiedBy, 'ModifiedBy', table);
    const key = fold(group);
    const version = await takeVersions(call);
    const renewed = await call.db.run(sql`
      update pending_distribution_lists set group_name = ${group}, modified_by = ${user}, version = ${version}
      where site_id = ${site} and web_id = ${web} and group_key = ${key}`);
    if (renewed > 0) return { outcome: 'done', sets: { PutPendingDistributionList: [{ '': 0 }] } };
    await call.db.run(sql`
      insert into pending_distribution_lists (site_id, web_id, group_key, group_name, modified_by, version)
      values (${site}, ${web}, ${key}, ${group}, ${user}, ${version})`);
    return { outcome: 'done', sets: { PutPendingDistributionList: [] } };
  },
});
