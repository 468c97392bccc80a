import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { datetime, int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { rowLimit } from '../row-window.ts';
import { deletedSites, pathBegins, selectDeleted } from './deleted-sites.ts';

export const getDeletedSitesByQuery = procedure({
  name: 'proc_getDeletedSitesByQuery',
  section: 'MS-WSSCFGD2 3.1.5.72',
  summary: 'Lists the references marked for deletion that satisfy all of some conditions.',
  access: 'read',
  params: {
    ApplicationId: nullable(uniqueidentifier, 'The Web application.'),
    SubscriptionId: nullable(uniqueidentifier, 'The site subscription; NULL for any.'),
    PathLike: nullable(nvarchar(256), 'The beginning of the path, with or without a last %; NULL for any.'),
    DeletionTimeFrom: nullable(datetime, 'Marked at this moment or later; NULL sets no bound.'),
    DeletionTimeTo: nullable(datetime, 'Marked at this moment or earlier; NULL sets no bound.'),
    SiteId: nullable(uniqueidentifier, 'The site collection; NULL for any.'),
    RowLimit: nullable(int, 'The most rows to return; NULL sets no limit.'),
    RequestGuid,
  },
  outcomes: { found: { code: 0, meaning: 'The references that were found.', sets: { sites: deletedSites } } },
  handle({ db }, { ApplicationId, SubscriptionId, PathLike, DeletionTimeFrom, DeletionTimeTo, SiteId, RowLimit }) {
    const condition = sql`
      application_id = ${ApplicationId}
      ${SubscriptionId === null ? sql`` : sql`and subscription_id = ${SubscriptionId}`}
      ${PathLike === null ? sql`` : sql`and ${pathBegins(PathLike.replace(/%$/, ''))}`}
      ${DeletionTimeFrom === null ? sql`` : sql`and deletion_time >= ${DeletionTimeFrom}`}
      ${DeletionTimeTo === null ? sql`` : sql`and deletion_time <= ${DeletionTimeTo}`}
      ${SiteId === null ? sql`` : sql`and id = ${SiteId}`}`;
    const rows = db.rows(deletedSites, selectDeleted(condition, rowLimit(RowLimit)));
    return { outcome: 'found', sets: { sites: rows } };
  },
});
