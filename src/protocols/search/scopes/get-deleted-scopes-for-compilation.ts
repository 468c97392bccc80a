import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { int } from '../../../tds/types/index.ts';

const scopes = { ScopeID: int };

export const getDeletedScopesForCompilation = procedure({
  name: 'proc_MSS_GetDeletedScopesForCompilation',
  section: 'MS-SQLPGAT2 3.1.5.33',
  summary: 'Returns the scopes that the current compilation removes.',
  access: 'read',
  params: {},
  outcomes: { found: { code: 0, meaning: 'The scopes; none when nothing is being compiled.', sets: { scopes } } },
  handle({ db }) {
    const rows = db.rows(scopes, sql`select scope_id as "ScopeID" from deleted_scopes_to_compile order by scope_id`);
    return { outcome: 'found', sets: { scopes: rows } };
  },
});
