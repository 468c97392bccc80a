import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

const sites = { Id: uniqueidentifier };

export const getSiteSubscriptionSiteIdsInContentDatabase = procedure({
  name: 'proc_getSiteSubscriptionSiteIdsInContentDatabase',
  section: 'MS-WSSCFGD2 3.1.5.35',
  summary: 'Lists the site collections of a site subscription in a content database.',
  access: 'read',
  params: {
    ContentDatabaseId: nullable(uniqueidentifier, 'The content database.'),
    SubscriptionId: nullable(uniqueidentifier, 'The site subscription; NULL finds nothing.'),
    RequestGuid,
  },
  outcomes: { found: { code: 0, meaning: 'The site collections that were found.', sets: { sites } } },
  handle({ db }, { ContentDatabaseId, SubscriptionId }) {
    const rows = db.rows(
      sites,
      sql`
        select id as "Id" from site_map
        where database_id = ${ContentDatabaseId} and subscription_id = ${SubscriptionId} and deletion_time is null`,
    );
    return { outcome: 'found', sets: { sites: rows } };
  },
});
