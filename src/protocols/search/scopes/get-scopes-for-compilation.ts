import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { scopeCompilation } from './scope-compilation.ts';

export const getScopesForCompilation = procedure({
  name: 'proc_MSS_GetScopesForCompilation',
  section: 'MS-SQLPGAT2 3.1.5.57',
  summary: 'Returns the scopes that take part in the current compilation.',
  access: 'read',
  params: {},
  outcomes: {
    found: { code: 0, meaning: 'The scopes; none when nothing is being compiled.', sets: { scopes: scopeCompilation } },
  },
  handle({ db }) {
    const rows = db.rows(
      scopeCompilation,
      sql`
        select scope_id as "ScopeID", compilation_state as "CompilationState" from scopes_to_compile order by scope_id`,
    );
    return { outcome: 'found', sets: { scopes: rows } };
  },
});
