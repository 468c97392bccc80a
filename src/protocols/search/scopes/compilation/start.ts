import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import type { ScopesSystem } from '../scopes-system.ts';

/** Begins a compilation: its contents are fixed now, so that scopes may continue to change. */
export async function start(db: Db, { lastCompilationId }: ScopesSystem): Promise<void> {
  await db.run(sql`
    insert into scopes_to_compile (scope_id, consumer_id, name, compilation_state)
    select id, consumer_id, name, compilation_state from scopes where last_change_id > ${lastCompilationId}`);
  await db.run(sql`
    insert into scope_rules_to_compile (id, scope_id, filter_behavior, rule_type, url_rule_type, property_id, user_value)
    select r.id, r.scope_id, r.filter_behavior, r.rule_type, r.url_rule_type, r.property_id, r.user_value
    from scope_rules r join scopes_to_compile s on s.scope_id = r.scope_id`);
  await db.run(sql`insert into deleted_scopes_to_compile (scope_id) select scope_id from deleted_scopes`);
  await db.run(sql`update scopes_system set compilation_change_id = last_change_id where one = 1`);
}
