import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { int, nvarchar } from '../../../tds/types/index.ts';

const store = { ID: nvarchar(40), Ordinal: int, Name: nvarchar(256) };

export const getGathererDBs = procedure({
  name: 'proc_MSS_GetGathererDBs',
  section: 'MS-SQLPGAT2 3.1.5.37',
  summary: 'Lists the crawl stores.',
  access: 'read',
  params: {},
  outcomes: { done: { code: 0, meaning: 'Completed.', sets: { stores: store } } },
  handle: ({ db }) => ({
    outcome: 'done',
    sets: {
      stores: db.rows(
        store,
        sql`
          select id as "ID", ordinal as "Ordinal", name as "Name" from crawl_stores order by ordinal`,
      ),
    },
  }),
});
