import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable, required } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';

export const setSubscription = procedure({
  name: 'proc_setSubscription',
  section: 'MS-WSSCFGD2 3.1.5.61',
  summary: 'Sets the site subscription of a site collection.',
  access: 'write',
  params: {
    SiteId: required(uniqueidentifier, 'The site collection.'),
    SubscriptionId: nullable(uniqueidentifier, 'The site subscription; NULL takes the site collection out of its own.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The subscription is set, if there is such a site collection.' } },
  async handle({ db }, { SiteId, SubscriptionId }) {
    await db.run(sql`
      update site_map set subscription_id = ${SubscriptionId} where id = ${SiteId} and deletion_time is null`);
    return { outcome: 'done' };
  },
});
