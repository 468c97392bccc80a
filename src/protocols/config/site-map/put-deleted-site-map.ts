import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { datetime } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { insertReference, isReferenced, referenceOf, referenceParams } from './site-reference.ts';

export const putDeletedSiteMap = procedure({
  name: 'proc_putDeletedSiteMap',
  section: 'MS-WSSCFGD2 3.1.5.75',
  summary: 'Stores a reference to a site collection that is already marked for deletion.',
  access: 'write',
  params: {
    ...referenceParams,
    DeletionTime: nullable(datetime, 'When the site collection was marked for deletion.'),
    RequestGuid,
  },
  outcomes: {
    stored: { code: 0, meaning: 'The reference is stored.' },
    refused: {
      code: 1,
      meaning:
        'Nothing is stored: the content database has a reference to the site collection, or a value is not allowed.',
    },
  },
  async handle({ db }, input) {
    const site = referenceOf(input);
    if (site === undefined || input.DeletionTime === null) return { outcome: 'refused' };
    if (await isReferenced(db, site)) return { outcome: 'refused' };
    await insertReference(db, site, input.DeletionTime);
    return { outcome: 'stored' };
  },
});
