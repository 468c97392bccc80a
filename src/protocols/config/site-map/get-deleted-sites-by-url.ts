import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nullable } from '../../../procedure/param.ts';
import { int, nvarchar, uniqueidentifier } from '../../../tds/types/index.ts';
import { RequestGuid } from '../common.ts';
import { rowLimit } from '../row-window.ts';
import { deletedSites, pathBegins, selectDeleted } from './deleted-sites.ts';

const { Path: _, ...sites } = deletedSites;

export const getDeletedSitesByUrl = procedure({
  name: 'proc_getDeletedSitesByUrl',
  section: 'MS-WSSCFGD2 3.1.5.71',
  summary: 'Lists the references marked for deletion whose path begins with some text.',
  access: 'read',
  params: {
    ApplicationId: nullable(uniqueidentifier, 'The Web application.'),
    Path: nullable(nvarchar(128), 'The beginning of the path; NULL finds nothing.'),
    RowLimit: nullable(int, 'The most rows to return; NULL sets no limit.'),
    RequestGuid,
  },
  outcomes: { found: { code: 0, meaning: 'The references that were found.', sets: { sites } } },
  handle({ db }, { ApplicationId, Path, RowLimit }) {
    if (Path === null) return { outcome: 'found', sets: { sites: [] } };
    const condition = sql`application_id = ${ApplicationId} and ${pathBegins(Path)}`;
    const rows = db.rows(deletedSites, selectDeleted(condition, rowLimit(RowLimit)));
    return { outcome: 'found', sets: { sites: rows } };
  },
});
