import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { dropReferences } from './live-sites.ts';

export const dropSiteMap = procedure({
  name: 'proc_DropSiteMap',
  section: 'MS-WSSCFGD2 3.1.5.20',
  summary: 'Deletes the reference to a site collection, marked for deletion or not.',
  access: 'serial',
  params: {
    Id: nullable(uniqueidentifier, 'The site collection.'),
    RequestGuid,
  },
  outcomes: { done: { code: 0, meaning: 'The reference is gone, if there was one.' } },
  async handle({ db }, { Id }) {
    await dropReferences(db, Id);
    return { outcome: 'done' };
  },
});
