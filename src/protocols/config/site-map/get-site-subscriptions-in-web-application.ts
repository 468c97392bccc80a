import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

const subscriptions = { SubscriptionId: uniqueidentifier };

export const getSiteSubscriptionsInWebApplication = procedure({
  name: 'proc_getSiteSubscriptionsInWebApplication',
  section: 'MS-WSSCFGD2 3.1.5.34',
  summary: 'Lists the site subscriptions that have site collections in a Web application.',
  access: 'read',
  params: {
    WebApplicationId: nullable(uniqueidentifier, 'The Web application.'),
    RequestGuid,
  },
  outcomes: { found: { code: 0, meaning: 'The subscriptions, each once.', sets: { subscriptions } } },
  handle({ db }, { WebApplicationId }) {
    const rows = db.rows(
      subscriptions,
      sql`
        select distinct subscription_id as "SubscriptionId" from site_map
        where application_id = ${WebApplicationId} and deletion_time is null and subscription_id is not null`,
    );
    return { outcome: 'found', sets: { subscriptions: rows } };
  },
});
