import { type Sql, sql } from '../../../engine/sql.ts';
import { orNull } from '../../../procedure/declare.ts';
import { type Relation, relation, stored } from '../../../procedure/relations/relation.ts';
import { datetime, int, nvarchar, smallint } from '../../../tds/types/index.ts';
import { scopeRule } from './scope-rule.ts';

const scopeId = stored(int, 'scope_id');
const scope = {
  ScopeID: scopeId,
  ConsumerID: stored(int, 'consumer_id'),
  Name: stored(nvarchar(60), 'name'),
  CompilationState: stored(smallint, 'compilation_state'),
};
const rule = {
  ScopeID: scopeId,
  FilterBehavior: stored(scopeRule.FilterBehavior, 'filter_behavior'),
  RuleType: stored(scopeRule.RuleType, 'rule_type'),
  UrlRuleType: stored(scopeRule.UrlRuleType, 'url_rule_type'),
  PropertyID: stored(scopeRule.PropertyID, 'property_id'),
  UserValueString: stored(scopeRule.UserValueString, 'user_value'),
};

const scopesIn = (name: string, from: Sql): Relation =>
  relation({ name, from, primaryKey: ['ScopeID'], columns: scope });
const rulesIn = (name: string, from: Sql): Relation => relation({ name, from, columns: rule });

/** The sets of 3.1.1.29 to 3.1.1.34, and those of MS-SQLPADM2 that they are made from. */
export const scopeRelations: readonly Relation[] = [
  relation({
    name: 'Scopes',
    from: sql`scopes`,
    primaryKey: ['ScopeID'],
    columns: {
      ...scope,
      ScopeID: stored(int, 'id'),
      Name: stored(nvarchar(60), 'name', { key: 'name_key' }),
      LastChangeID: stored(int, 'last_change_id'),
    },
  }),
  rulesIn('ScopeRules', sql`scope_rules`),
  relation({
    name: 'ScopesSystem',
    from: sql`scopes_system`,
    columns: {
      LastChangeID: stored(int, 'last_change_id'),
      LastCompilationID: stored(int, 'last_compilation_id'),
      CompilationChangeID: stored(int, 'compilation_change_id'),
      LastConsumerChangeID: stored(int, 'last_consumer_change_id'),
      LastCompilationTime: stored(orNull(datetime), 'last_compilation_time'),
      NextCompilationTime: stored(orNull(datetime), 'next_compilation_time'),
    },
  }),
  relation({
    name: 'ScopeConsumers',
    from: sql`scope_consumers`,
    primaryKey: ['ConsumerID'],
    columns: {
      ConsumerID: stored(int, 'id'),
      Name: stored(nvarchar(60), 'name'),
      LastUpdate: stored(int, 'last_update'),
    },
  }),
  relation({
    name: 'DeletedScopes',
    from: sql`deleted_scopes`,
    primaryKey: ['ScopeID'],
    columns: { ScopeID: scopeId, ChangeID: stored(int, 'change_id') },
  }),
  scopesIn('ScopesToCompile', sql`scopes_to_compile`),
  rulesIn('ScopeRulesToCompile', sql`scope_rules_to_compile`),
  relation({
    name: 'DeletedScopesToCompile',
    from: sql`deleted_scopes_to_compile`,
    primaryKey: ['ScopeID'],
    columns: { ScopeID: scopeId },
  }),
  scopesIn('CompiledScopes', sql`compiled_scopes`),
  rulesIn('CompiledScopeRules', sql`compiled_scope_rules`),
];
