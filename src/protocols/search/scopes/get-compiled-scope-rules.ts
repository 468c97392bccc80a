import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { scopeCompilation } from './scope-compilation.ts';

export const getCompiledScopeRules = procedure({
  name: 'proc_MSS_GetCompiledScopeRules',
  section: 'MS-SQLPGAT2 3.1.5.16',
  summary: 'Returns the compiled scopes that have rules.',
  access: 'read',
  params: {},
  outcomes: { found: { code: 0, meaning: 'The scopes.', sets: { scopes: scopeCompilation } } },
  handle({ db }) {
    const rows = db.rows(
      scopeCompilation,
      sql`
        select scope_id as "ScopeID", compilation_state as "CompilationState" from compiled_scopes s
        where exists (select 1 from compiled_scope_rules r where r.scope_id = s.scope_id) order by scope_id`,
    );
    return { outcome: 'found', sets: { scopes: rows } };
  },
});
