import { procedure } from '../../../procedure/declare.ts';
import { optional } from '../../../procedure/param.ts';
import { int, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { countSites } from './live-sites.ts';

export const getSiteCount = procedure({
  name: 'proc_getSiteCount',
  section: 'MS-WSSCFGD2 3.1.5.29',
  summary: 'Returns the number of site collections in a content database or in all.',
  access: 'read',
  params: {
    DatabaseId: optional(uniqueidentifier, null, 'The content database; NULL for all.'),
    RequestGuid,
  },
  outcomes: { counted: { code: 0, meaning: 'One row with the number.', sets: { count: { sitecount: int } } } },
  async handle({ db }, { DatabaseId }) {
    return { outcome: 'counted', sets: { count: [{ sitecount: await countSites(db, DatabaseId) }] } };
  },
});
