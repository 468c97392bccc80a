import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { nvarchar } from '../../../tds/types/index.ts';

const store = { ID: nvarchar(40) };

export const getAllPropertyStoreIDs = procedure({
  name: 'proc_MSS_GetAllPropertyStoreIDs',
  section: 'MS-SQLPGAT2 3.1.5.30',
  summary: 'Lists the identifiers of all property stores.',
  access: 'read',
  params: {},
  outcomes: { done: { code: 0, meaning: 'Completed.', sets: { stores: store } } },
  handle: ({ db }) => ({
    outcome: 'done',
    sets: { stores: db.rows(store, sql`select id as "ID" from property_stores order by id`) },
  }),
});
