import { sqlError } from '../../../base/messages/sql-error.ts';
import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { required } from '../../../procedure/param.ts';
import { nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { enterCounts, leaveCounts, ranked, rankedColumns } from './live-sites.ts';
import { pathOrder } from './path-order.ts';
import { isPathTaken } from './site-reference.ts';

export const renameSiteMap = procedure({
  name: 'proc_renameSiteMap',
  section: 'MS-WSSCFGD2 3.1.5.59',
  summary: 'Changes the host header site identifier of a site collection that uses one.',
  access: 'serial',
  params: {
    SiteId: required(uniqueidentifier, 'The site collection.'),
    Path: required(nvarchar(128), 'Its new host header site identifier.'),
  },
  outcomes: { done: { code: 0, meaning: 'The identifier is changed, if the site collection uses one.' } },
  async handle({ db }, { SiteId, Path }) {
    const site = await db.first(
      ranked,
      sql`
        select ${rankedColumns} from site_map
        where id = ${SiteId} and deletion_time is null and host_header_is_site_name = 1`,
    );
    if (site === undefined) return { outcome: 'done' };
    const renamed = { ...site, Id: SiteId, HostHeaderIsSiteName: true, PathKey: fold(Path) };
    // The only code is 0, which would claim that the site collection has the name.
    if (await isPathTaken(db, renamed)) throw sqlError(2627, 'UNIQUE KEY', 'SiteMap_Path', 'dbo.SiteMap', `(${Path})`);
    const order = pathOrder(Path, SiteId);
    await leaveCounts(db, site);
    await db.run(sql`
      update site_map set path = ${Path}, path_key = ${renamed.PathKey}, path_order = ${order}
      where id = ${SiteId} and database_id = ${site.DatabaseId}`);
    await enterCounts(db, { ...site, PathOrder: order });
    return { outcome: 'done' };
  },
});
