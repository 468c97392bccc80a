import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { isLive } from './site-reference.ts';

export const siteExists = procedure({
  name: 'proc_SiteExists',
  section: 'MS-WSSCFGD2 3.1.5.62',
  summary: 'Returns, as its return code, whether there is a live reference to a site collection.',
  access: 'read',
  params: {
    SiteId: nullable(uniqueidentifier, 'The site collection.'),
    RequestGuid,
  },
  outcomes: {
    exists: { code: 1, meaning: 'There is a reference.' },
    missing: { code: 0, meaning: 'There is none.' },
  },
  async handle({ db }, { SiteId }) {
    return { outcome: (await isLive(db, SiteId)) ? 'exists' : 'missing' };
  },
});
