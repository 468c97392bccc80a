import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

const subscriptions = { SubscriptionId: uniqueidentifier };

export const getSubscriptionIds = procedure({
  name: 'proc_getSubscriptionIds',
  section: 'MS-WSSCFGD2 3.1.5.37',
  summary: 'Lists the site subscriptions that have site collections in the farm.',
  access: 'read',
  params: { RequestGuid },
  outcomes: { found: { code: 0, meaning: 'The subscriptions, each once.', sets: { subscriptions } } },
  handle({ db }) {
    const rows = db.rows(
      subscriptions,
      sql`
        select distinct subscription_id as "SubscriptionId" from site_map
        where deletion_time is null and subscription_id is not null`,
    );
    return { outcome: 'found', sets: { subscriptions: rows } };
  },
});
