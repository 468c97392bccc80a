import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { deletedSites, selectDeleted } from './deleted-sites.ts';

export const getDeletedSite = procedure({
  name: 'proc_getDeletedSite',
  section: 'MS-WSSCFGD2 3.1.5.74',
  summary: 'Returns the reference marked for deletion of a site collection in a content database.',
  access: 'read',
  params: {
    ApplicationId: nullable(uniqueidentifier, 'The Web application.'),
    DatabaseId: nullable(uniqueidentifier, 'The content database.'),
    SiteId: nullable(uniqueidentifier, 'The site collection.'),
    RequestGuid,
  },
  outcomes: {
    found: { code: 0, meaning: 'One row, or none when there is no such mark.', sets: { sites: deletedSites } },
  },
  handle({ db }, { ApplicationId, DatabaseId, SiteId }) {
    const condition = sql`application_id = ${ApplicationId} and database_id = ${DatabaseId} and id = ${SiteId}`;
    return { outcome: 'found', sets: { sites: db.rows(deletedSites, selectDeleted(condition, 1)) } };
  },
});
