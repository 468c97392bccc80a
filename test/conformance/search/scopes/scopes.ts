import type { Database } from '../../../../src/engine/db.ts';
import { sql } from '../../../../src/engine/sql.ts';
import { addScope } from '../../../../src/protocols/search/scopes/add-scope.ts';
import { getCompiledScopeRules } from '../../../../src/protocols/search/scopes/get-compiled-scope-rules.ts';
import { getCompiledScopes } from '../../../../src/protocols/search/scopes/get-compiled-scopes.ts';
import { getCompletedScopesCompilationId } from '../../../../src/protocols/search/scopes/get-completed-scopes-compilation-id.ts';
import { getDeletedScopesForCompilation } from '../../../../src/protocols/search/scopes/get-deleted-scopes-for-compilation.ts';
import { getScopeRulesForCompilation } from '../../../../src/protocols/search/scopes/get-scope-rules-for-compilation.ts';
import { getScopesForCompilation } from '../../../../src/protocols/search/scopes/get-scopes-for-compilation.ts';
import { shareScopesCompilationInfo } from '../../../../src/protocols/search/scopes/share-scopes-compilation-info.ts';
import type { TestClient } from '../../../support/client.ts';

export const [admin, query, crawl, standalone] = [0, 1, 2, 3];
export const compiled = 4;

/** A poll of a component: what it has completed, and what is asked of it. */
export const poll = async (client: TestClient, role: number, component: number, completed: number | null) => {
  const { status, output, sets } = await client.call(shareScopesCompilationInfo, {
    ComponentRole: role,
    ComponentID: component,
    CompletedCompilationID: completed,
  });
  if (status !== 0 || sets.length > 0) throw new Error('a poll returns 0 and no rows');
  return output['RequestedCompilationID'];
};

/** What a component fetches to compile. */
export const work = async (client: TestClient) => ({
  scopes: (await client.call(getScopesForCompilation, {})).sets[0],
  rules: (await client.call(getScopeRulesForCompilation, {})).sets[0],
  deleted: (await client.call(getDeletedScopesForCompilation, {})).sets[0]?.map((row) => row['ScopeID']),
});
export const nothing = { scopes: [], rules: [], deleted: [] };

export const compiledScopes = async (client: TestClient) =>
  (await client.call(getCompiledScopes, {})).sets[0]?.map((row) => Object.values(row));
export const scopesWithRules = async (client: TestClient) =>
  (await client.call(getCompiledScopeRules, {})).sets[0]?.map((row) => Object.values(row));
export const compilationOf = async (client: TestClient, role: number | null) =>
  (await client.call(getCompletedScopesCompilationId, { ComponentRole: role })).output['CompilationID'];

export const add = (database: Database, name: string, urls: readonly string[] = []) =>
  database.write((db) => addScope(db, name, urls));

/** Deletes a scope, as administrators do (MS-SQLPADM2). */
export const remove = (database: Database, scope: number) =>
  database.write(async (db) => {
    await db.run(sql`update scopes_system set last_change_id = last_change_id + 1, next_compilation_time = null`);
    await db.run(sql`
      insert into deleted_scopes (scope_id, change_id) select ${scope}, last_change_id from scopes_system`);
    await db.run(sql`delete from scope_rules where scope_id = ${scope}`);
    await db.run(sql`delete from scopes where id = ${scope}`);
  });

/** Changes a scope, as administrators do, without wish for haste. */
export const touch = (database: Database, scope: number) =>
  database.write(async (db) => {
    await db.run(sql`update scopes_system set last_change_id = last_change_id + 1`);
    await db.run(sql`
      update scopes set compilation_state = 0, last_change_id = (select last_change_id from scopes_system)
      where id = ${scope}`);
  });

/** Makes crawl components in these states, and query components that are offline or not. */
export const addComponents = (database: Database, crawlStates: readonly number[], queryOffline: readonly number[]) =>
  database.write(async (db) => {
    await db.run(sql`insert into crawl_stores (ordinal, id, name) values (0, 'id', 'store')`);
    for (const [number, state] of crawlStates.entries()) {
      await db.run(sql`
        insert into crawl_components (number, crawl_store, state, desired_state) values (${number}, 0, ${state}, 1)`);
    }
    for (const [number, offline] of queryOffline.entries()) {
      await db.run(sql`insert into query_components (number, is_offline) values (${number}, ${offline})`);
    }
  });
