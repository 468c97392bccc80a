import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { scopeCompilation } from './scope-compilation.ts';

export const getCompiledScopes = procedure({
  name: 'proc_MSS_GetCompiledScopes',
  section: 'MS-SQLPGAT2 3.1.5.17',
  summary: 'Returns the compiled scopes.',
  access: 'read',
  params: {},
  outcomes: { found: { code: 0, meaning: 'The scopes.', sets: { scopes: scopeCompilation } } },
  handle({ db }) {
    const rows = db.rows(
      scopeCompilation,
      sql`
        select scope_id as "ScopeID", compilation_state as "CompilationState" from compiled_scopes order by scope_id`,
    );
    return { outcome: 'found', sets: { scopes: rows } };
  },
});
