import { sqlError } from '../../../base/messages/sql-error.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { bit, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { enterCounts, ranked, rankedColumns } from './live-sites.ts';
import { isLive, isPathTaken } from './site-reference.ts';

const hiddenSite = {
  ...ranked,
  Id: uniqueidentifier,
  Path: nvarchar(128),
  PathKey: nvarchar('max'),
  HostHeaderIsSiteName: bit,
};

export const unhideSiteMap = procedure({
  name: 'proc_unhideSiteMap',
  section: 'MS-WSSCFGD2 3.1.5.69',
  summary: 'Removes the deletion mark from the reference to a site collection.',
  access: 'serial',
  params: {
    Id: nullable(uniqueidentifier, 'The site collection.'),
    DatabaseId: nullable(uniqueidentifier, 'The content database that contains it.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The reference is live, if there is one.' } },
  async handle({ db }, { Id, DatabaseId }) {
    const site = await db.first(
      hiddenSite,
      sql`
        select ${rankedColumns}, id as "Id", path as "Path", path_key as "PathKey",
          host_header_is_site_name as "HostHeaderIsSiteName"
        from site_map
        where id = ${Id} and database_id = ${DatabaseId} and deletion_time is not null`,
    );
    if (site === undefined) return { outcome: 'done' };
    // The only code is 0, which would claim that the site collection is back.
    if (await isLive(db, site.Id)) throw sqlError(2627, 'UNIQUE KEY', 'SiteMap_Id', 'dbo.SiteMap', `(${site.Id})`);
    if (await isPathTaken(db, site))
      throw sqlError(2627, 'UNIQUE KEY', 'SiteMap_Path', 'dbo.SiteMap', `(${site.Path})`);
    await db.run(sql`
      update site_map set deletion_time = null where id = ${site.Id} and database_id = ${site.DatabaseId}`);
    await enterCounts(db, site);
    return { outcome: 'done' };
  },
});
