import { ruleBroken } from '../../../base/messages/sql-error.ts';
import { fold } from '../../../base/text/collation.ts';
import type { Db } from '../../../engine/db.ts';
import { sql } from '../../../engine/sql.ts';
import { int } from '../../../tds/types/index.ts';
import { checkUrl } from '../check-url.ts';
import { needsCompile } from './compilation-state.ts';

/** The consumer that every search administration database has. */
const defaultConsumer = 1;
/** An included folder of a site, as MS-SQLPADM2 numbers rules (2.2.1.18, 2.2.1.19, 2.2.1.21). */
const includedFolder = { filterBehavior: 0, ruleType: 1, urlRuleType: 1 };

/** Adds a scope of everything below some URLs, or of everything; the next poll of a component may compile it. */
export async function addScope(db: Db, name: string, urls: readonly string[]): Promise<number> {
  if (name.trim() === '' || name.length > 60) throw ruleBroken('The name of a scope must have 1 to 60 characters.');
  for (const url of urls) checkUrl(url);
  const taken = await db.first(
    { id: int },
    sql`select id as "id" from scopes where consumer_id = ${defaultConsumer} and name_key = ${fold(name)}`,
  );
  if (taken !== undefined) throw ruleBroken(`The scope '${name}' already exists.`);
  const id = await nextScope(db);
  const change = await nextChange(db);
  await db.run(sql`
    insert into scopes (id, consumer_id, name, name_key, compilation_state, last_change_id)
    values (${id}, ${defaultConsumer}, ${name}, ${fold(name)}, ${needsCompile}, ${change})`);
  const { filterBehavior, ruleType, urlRuleType } = includedFolder;
  for (const url of urls) {
    await db.run(sql`
      insert into scope_rules (id, scope_id, filter_behavior, rule_type, url_rule_type, user_value)
      select coalesce(max(id), 0) + 1, ${id}, ${filterBehavior}, ${ruleType}, ${urlRuleType}, ${url} from scope_rules`);
  }
  return id;
}

async function nextScope(db: Db): Promise<number> {
  const row = await db.first(
    { last: int },
    sql`
      select coalesce(max(id), 0) as "last"
      from (select id from scopes union all select scope_id from deleted_scopes union all
        select scope_id from compiled_scopes) s`,
  );
  return (row?.last ?? 0) + 1;
}

/** The identifier of a change of the scopes; the caller wants it compiled soon. */
async function nextChange(db: Db): Promise<number> {
  const row = await db.first(
    { last: int },
    sql`
      update scopes_system set last_change_id = last_change_id + 1, next_compilation_time = null where one = 1
      returning last_change_id as "last"`,
  );
  if (row === undefined) throw new Error('the table scopes_system has lost its row');
  return row.last;
}
