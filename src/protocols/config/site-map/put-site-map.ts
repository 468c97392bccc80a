import { procedure } from '../../../procedure/declare.ts';
import { output } from '../../../procedure/param.ts';
import { int, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { countSites, enterCounts } from './live-sites.ts';
import { insertReference, isLive, isPathTaken, isReferenced, referenceOf, referenceParams } from './site-reference.ts';

export const putSiteMap = procedure({
  name: 'proc_putSiteMap',
  section: 'MS-WSSCFGD2 3.1.5.56',
  summary: 'Stores the reference to a new site collection.',
  access: 'serial',
  params: {
    ...referenceParams,
    CurrentDatabaseSiteCount: output(int, 'Set to the number of site collections in the content database.'),
    RequestGuid,
  },
  outcomes: {
    stored: { code: 0, meaning: 'The reference is stored.', sets: { site: { '': uniqueidentifier } } },
    refused: {
      code: 0,
      meaning: 'Nothing is stored: the site collection or the path has a reference, or a value is not allowed.',
    },
  },
  async handle({ db }, input) {
    const site = referenceOf(input);
    if (site === undefined) return { outcome: 'refused' };
    if ((await isLive(db, site.Id)) || (await isReferenced(db, site)) || (await isPathTaken(db, site)))
      return { outcome: 'refused' };
    await insertReference(db, site, null);
    await enterCounts(db, site);
    return {
      outcome: 'stored',
      output: { CurrentDatabaseSiteCount: await countSites(db, site.DatabaseId) },
      sets: { site: [{ '': site.Id }] },
    };
  },
});
