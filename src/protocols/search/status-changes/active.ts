import { list, type Sql, sql } from '../../../engine/sql.ts';
import { componentState } from '../topology/component-state.ts';
import { componentType } from './component-type.ts';

const disabled = list('bigint', [componentState.disabled, componentState.disabledForRemoval]);

/** The condition that a row `a` of component_activity is one of a component that still answers. */
export const isActive: Sql = sql`
  not (a.component_type = ${componentType.crawl} and exists (
    select 1 from crawl_components c where c.number = a.component_id and c.state in ${disabled}))
  and not (a.component_type = ${componentType.query} and exists (
    select 1 from query_components q where q.number = a.component_id and q.is_offline = 1))`;
