import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { dropReferences } from './live-sites.ts';

export const dropSiteMap2 = procedure({
  name: 'proc_dropSiteMap2',
  section: 'MS-WSSCFGD2 3.1.5.70',
  summary: 'Deletes the reference to a site collection in a content database, marked for deletion or not.',
  access: 'serial',
  params: {
    Id: nullable(uniqueidentifier, 'The site collection.'),
    DatabaseId: nullable(uniqueidentifier, 'The content database.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The reference is gone, if there was one.' } },
  async handle({ db }, { Id, DatabaseId }) {
    await dropReferences(db, Id, DatabaseId);
    return { outcome: 'done' };
  },
});
