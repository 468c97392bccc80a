import type { Db } from '../../../../engine/db.ts';
import { sql } from '../../../../engine/sql.ts';
import { compiled } from '../compilation-state.ts';
import type { ScopesSystem } from '../scopes-system.ts';
import { noteCompiled } from './next-time.ts';

/** Ends a compilation: what it compiled is now what is compiled. */
export async function complete(db: Db, { compilationChangeId }: ScopesSystem, now: Date): Promise<void> {
  // One that has changed again meanwhile waits for the next compilation.
  await db.run(sql`
    update scopes set compilation_state = ${compiled}
    where id in (select scope_id from scopes_to_compile) and last_change_id <= ${compilationChangeId}`);
  await removeDeleted(db);
  await replaceCompiled(db);
  await tellConsumers(db);
  await db.run(sql`update scopes_system set last_compilation_id = compilation_change_id where one = 1`);
  await noteCompiled(db, now);
  await db.run(sql`delete from scopes_to_compile`);
  await db.run(sql`delete from scope_rules_to_compile`);
  await db.run(sql`delete from deleted_scopes_to_compile`);
}

async function removeDeleted(db: Db): Promise<void> {
  const gone = sql`(select scope_id from deleted_scopes_to_compile)`;
  await db.run(sql`delete from deleted_scopes where scope_id in ${gone}`);
  await db.run(sql`delete from compiled_scope_rules where scope_id in ${gone}`);
  await db.run(sql`delete from compiled_scopes where scope_id in ${gone}`);
}

async function replaceCompiled(db: Db): Promise<void> {
  const fresh = sql`(select scope_id from scopes_to_compile)`;
  await db.run(sql`delete from compiled_scope_rules where scope_id in ${fresh}`);
  await db.run(sql`delete from compiled_scopes where scope_id in ${fresh}`);
  await db.run(sql`
    insert into compiled_scopes (scope_id, consumer_id, name, compilation_state)
    select scope_id, consumer_id, name, ${compiled} from scopes_to_compile`);
  await db.run(sql`
    insert into compiled_scope_rules (id, scope_id, filter_behavior, rule_type, url_rule_type, property_id, user_value)
    select id, scope_id, filter_behavior, rule_type, url_rule_type, property_id, user_value from scope_rules_to_compile`);
}

async function tellConsumers(db: Db): Promise<void> {
  await db.run(sql`update scopes_system set last_consumer_change_id = last_consumer_change_id + 1 where one = 1`);
  await db.run(sql`
    update scope_consumers set last_update = (select last_consumer_change_id from scopes_system where one = 1)
    where id in (select consumer_id from scopes_to_compile)`);
}
