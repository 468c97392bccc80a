import { sql } from '../../../engine/sql.ts';
import { procedure } from '../../../procedure/declare.ts';
import { scopeRule } from './scope-rule.ts';

export const getScopeRulesForCompilation = procedure({
  name: 'proc_MSS_GetScopeRulesForCompilation',
  section: 'MS-SQLPGAT2 3.1.5.56',
  summary: 'Returns the rules of the scopes that take part in the current compilation.',
  access: 'read',
  params: {},
  outcomes: {
    found: { code: 0, meaning: 'The rules; none when nothing is being compiled.', sets: { rules: scopeRule } },
  },
  handle({ db }) {
    const rows = db.rows(
      scopeRule,
      sql`
        select scope_id as "ScopeID", filter_behavior as "FilterBehavior", rule_type as "RuleType",
          url_rule_type as "UrlRuleType", property_id as "PropertyID", user_value as "UserValueString"
        from scope_rules_to_compile order by id`,
    );
    return { outcome: 'found', sets: { rules: rows } };
  },
});
