import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { rowLimit } from '../row-window.ts';
import { deletedSites, selectDeleted } from './deleted-sites.ts';

export const getDeletedSitesBySiteId = procedure({
  name: 'proc_getDeletedSitesBySiteId',
  section: 'MS-WSSCFGD2 3.1.5.73',
  summary: 'Lists the references marked for deletion of a site collection, one per content database.',
  access: 'read',
  params: {
    ApplicationId: nullable(uniqueidentifier, 'The Web application.'),
    SiteId: nullable(uniqueidentifier, 'The site collection.'),
    RowLimit: nullable(int, 'The most rows to return; NULL sets no limit.'),
    RequestGuid,
  },
  outcomes: { found: { code: 0, meaning: 'The references that were found.', sets: { sites: deletedSites } } },
  handle({ db }, { ApplicationId, SiteId, RowLimit }) {
    const condition = sql`application_id = ${ApplicationId} and id = ${SiteId}`;
    const rows = db.rows(deletedSites, selectDeleted(condition, rowLimit(RowLimit)));
    return { outcome: 'found', sets: { sites: rows } };
  },
});
