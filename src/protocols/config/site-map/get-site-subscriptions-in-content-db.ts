import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

const subscriptions = { SubscriptionId: uniqueidentifier };

export const getSiteSubscriptionsInContentDb = procedure({
  name: 'proc_getSiteSubscriptionsInContentDB',
  aliases: ['proc_getSiteSubscriptionsInContentDatabase'],
  section: 'MS-WSSCFGD2 3.1.5.33',
  summary: 'Lists the site subscriptions that have site collections in a content database.',
  access: 'read',
  params: {
    ContentDatabaseId: nullable(uniqueidentifier, 'The content database.'),
    RequestGuid,
  },
  outcomes: { found: { code: 0, meaning: 'The subscriptions, each once.', sets: { subscriptions } } },
  handle({ db }, { ContentDatabaseId }) {
    const rows = db.rows(
      subscriptions,
      sql`
        select distinct subscription_id as "SubscriptionId" from site_map
        where database_id = ${ContentDatabaseId} and deletion_time is null and subscription_id is not null`,
    );
    return { outcome: 'found', sets: { subscriptions: rows } };
  },
});
