import { fold } from '../../../base/text/collation.ts';
import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

const site = { Id: uniqueidentifier };

export const getSiteIdOfHostHeaderSite = procedure({
  name: 'proc_GetSiteIdOfHostHeaderSite',
  section: 'MS-WSSCFGD2 3.1.5.30',
  summary: 'Finds the site collection that uses a host header site identifier.',
  access: 'read',
  params: {
    HostHeader: nullable(nvarchar(128), 'The host header site identifier.'),
    RequestGuid,
  },
  outcomes: { found: { code: 0, meaning: 'One row, or none when no site collection uses it.', sets: { site } } },
  handle({ db }, { HostHeader }) {
    const rows = db.rows(
      site,
      sql`
        select id as "Id" from site_map
        where path_key = ${HostHeader === null ? null : fold(HostHeader)}
          and deletion_time is null and host_header_is_site_name = 1`,
    );
    return { outcome: 'found', sets: { site: rows } };
  },
});
