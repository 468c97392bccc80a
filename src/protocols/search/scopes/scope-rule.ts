import { orNull } from '../../../procedure/declare.ts';
import { int, nvarchar, smallint } from '../../../tds/types/index.ts';

/** A rule of a scope (3.1.1.30). */
export const scopeRule = {
  ScopeID: int,
  FilterBehavior: smallint,
  RuleType: smallint,
  UrlRuleType: orNull(smallint),
  PropertyID: orNull(int),
  UserValueString: orNull(nvarchar(2048)),
};
