import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { leaveCounts, ranked, rankedColumns } from './live-sites.ts';

export const hideSiteMap = procedure({
  name: 'proc_hideSiteMap',
  section: 'MS-WSSCFGD2 3.1.5.68',
  summary: 'Marks the reference to a site collection for deletion: from now on only deleted-site queries see it.',
  access: 'serial',
  params: {
    Id: nullable(uniqueidentifier, 'The site collection.'),
    DatabaseId: nullable(uniqueidentifier, 'The content database that contains it.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The reference is marked, if there is one.' } },
  async handle({ db, now }, { Id, DatabaseId }) {
    const hidden = await db.first(
      ranked,
      sql`
        update site_map set deletion_time = ${now}
        where id = ${Id} and database_id = ${DatabaseId} and deletion_time is null
        returning ${rankedColumns}`,
    );
    if (hidden) await leaveCounts(db, hidden);
    return { outcome: 'done' };
  },
});
