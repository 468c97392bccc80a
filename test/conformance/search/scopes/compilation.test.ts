import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TYPES } from 'tedious';
import { searchAdmin } from '../../../../src/protocols/search/kinds/search-admin.ts';
import { forEachSearch } from '../with-search.ts';
import {
  add,
  addComponents,
  admin,
  compilationOf,
  compiled,
  compiledScopes,
  crawl,
  nothing,
  poll,
  query,
  remove,
  scopesWithRules,
  standalone,
  touch,
  work,
} from './scopes.ts';

const minutes = 60_000;

forEachSearch(searchAdmin, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.81: the default scope is compiled at the first poll', () =>
    withSearch(async ({ client, database }) => {
      await addComponents(database, [1], []);
      assert.deepEqual(await work(client), nothing);
      assert.equal(await poll(client, crawl, 0, 0), 1);
      assert.deepEqual(await work(client), {
        scopes: [{ ScopeID: 1, CompilationState: 0 }],
        rules: [],
        deleted: [],
      });
      assert.deepEqual(await compiledScopes(client), []);
      assert.equal(await poll(client, crawl, 0, 1), 1);
      assert.deepEqual(await compiledScopes(client), [[1, compiled]]);
      assert.deepEqual(await work(client), nothing);
    }));

  test('MS-SQLPGAT2 3.1.5.81: a compilation takes the scopes that changed, their rules and the deleted scopes', () =>
    withSearch(async ({ client, database, clock }) => {
      await addComponents(database, [1], []);
      await poll(client, crawl, 0, 0);
      await poll(client, crawl, 0, 1);
      const docs = await add(database, 'Docs', ['http://a/docs', 'http://b/docs']);
      const gone = await add(database, 'Gone', ['http://gone/']);
      await remove(database, gone);
      clock.advance(1);
      assert.equal(await poll(client, crawl, 0, 1), 4);
      const { scopes, rules, deleted } = await work(client);
      assert.deepEqual(scopes, [{ ScopeID: docs, CompilationState: 3 }]);
      assert.deepEqual(
        rules,
        ['http://a/docs', 'http://b/docs'].map((UserValueString) => ({
          ScopeID: docs,
          FilterBehavior: 0,
          RuleType: 1,
          UrlRuleType: 1,
          PropertyID: null,
          UserValueString,
        })),
      );
      assert.deepEqual(deleted, [gone]);
      await poll(client, crawl, 0, 4);
      assert.deepEqual(await compiledScopes(client), [
        [1, compiled],
        [docs, compiled],
      ]);
      assert.deepEqual(await scopesWithRules(client), [[docs, compiled]]);
      const { sets } = await client.batch('select ScopeID, CompilationState from Scopes; select * from DeletedScopes');
      assert.deepEqual(
        sets[0]?.map((row) => row['CompilationState']),
        [compiled, compiled],
      );
      assert.deepEqual(sets[1], []);
    }));

  test('MS-SQLPGAT2 3.1.5.81: a deleted scope leaves what is compiled with the compilation that removes it', () =>
    withSearch(async ({ client, database, clock }) => {
      await addComponents(database, [1], []);
      const docs = await add(database, 'Docs', ['http://a/docs']);
      await poll(client, crawl, 0, 0);
      await poll(client, crawl, 0, 2);
      assert.deepEqual(await scopesWithRules(client), [[docs, compiled]]);
      await remove(database, docs);
      clock.advance(1);
      assert.equal(await poll(client, crawl, 0, 2), 3);
      assert.deepEqual(await work(client), { ...nothing, deleted: [docs] });
      assert.deepEqual(await scopesWithRules(client), [[docs, compiled]], 'until it is done');
      await poll(client, crawl, 0, 3);
      assert.deepEqual(await compiledScopes(client), [[1, compiled]]);
      assert.deepEqual(await scopesWithRules(client), []);
    }));

  test('MS-SQLPGAT2 3.1.5.81: a compilation starts only when NextCompilationTime has passed, which idle polls move on', () =>
    withSearch(async ({ client, database, clock }) => {
      await addComponents(database, [1], []);
      await poll(client, crawl, 0, 0);
      await poll(client, crawl, 0, 1);
      clock.advance(5 * minutes);
      assert.equal(await poll(client, crawl, 0, 1), 1);
      await touch(database, 1);
      clock.advance(15 * minutes);
      assert.equal(await poll(client, crawl, 0, 1), 1);
      clock.advance(1000);
      assert.equal(await poll(client, crawl, 0, 1), 2);
    }));

  test('MS-SQLPGAT2 3.1.5.81: it is complete when every crawl and query component that is ready has carried it out', () =>
    withSearch(async ({ client, database }) => {
      await addComponents(database, [1, 1, 3, 5], [0, 1]);
      assert.equal(await poll(client, crawl, 0, 0), 1);
      assert.equal(await poll(client, query, 0, 0), 0, 'crawl components come first');
      assert.equal(await poll(client, admin, 0, 0), 1);
      await poll(client, crawl, 0, 1);
      assert.equal(await poll(client, query, 0, 0), 0);
      await poll(client, crawl, 1, 1);
      assert.equal(await poll(client, query, 0, 0), 1, 'then query components');
      assert.deepEqual(await compiledScopes(client), []);
      await poll(client, query, 0, 1);
      assert.deepEqual(await compiledScopes(client), [[1, compiled]]);
    }));

  test('MS-SQLPGAT2 3.1.5.81: without a component that is ready nothing is completed', () =>
    withSearch(async ({ client, database }) => {
      await addComponents(database, [3], [1]);
      assert.equal(await poll(client, crawl, 0, 1), 1);
      assert.equal(await poll(client, query, 0, 1), 1);
      assert.deepEqual(await compiledScopes(client), []);
    }));

  test('MS-SQLPGAT2 3.1.5.81: a standalone component completes it alone, with that compilation or a later one', () =>
    withSearch(async ({ client }) => {
      assert.equal(await poll(client, standalone, 0, 0), 1);
      assert.equal(await poll(client, standalone, 0, null), 1);
      assert.deepEqual(await compiledScopes(client), []);
      assert.equal(await poll(client, standalone, 0, 1), 1);
      assert.deepEqual(await compiledScopes(client), [[1, compiled]]);
    }));

  test('MS-SQLPGAT2 3.1.5.81: a scope that changes while it is compiled is compiled again', () =>
    withSearch(async ({ client, database, clock }) => {
      await poll(client, standalone, 0, 0);
      await touch(database, 1);
      await poll(client, standalone, 0, 1);
      const state = async () =>
        (await client.batch('select CompilationState as s from Scopes')).sets[0]?.map((row) => row['s']);
      assert.deepEqual(await state(), [0]);
      clock.advance(16 * minutes);
      assert.equal(await poll(client, standalone, 0, 1), 2);
      assert.equal(await poll(client, standalone, 0, 2), 2);
      assert.deepEqual(await state(), [compiled]);
    }));

  test('MS-SQLPGAT2 3.1.5.81: consumers of compiled scopes get the next number as their LastUpdate', () =>
    withSearch(async ({ client, database, clock }) => {
      const numbers = async () =>
        (
          await client.batch(`
            select LastUpdate as n from ScopeConsumers
            union all select LastConsumerChangeID from ScopesSystem`)
        ).sets[0]?.map((row) => row['n']);
      await poll(client, standalone, 0, 0);
      assert.deepEqual(await numbers(), [0, 0]);
      await poll(client, standalone, 0, 1);
      assert.deepEqual(await numbers(), [1, 1]);
      await touch(database, 1);
      clock.advance(16 * minutes);
      await poll(client, standalone, 0, 1);
      await poll(client, standalone, 0, 2);
      assert.deepEqual(await numbers(), [2, 2]);
    }));

  test('MS-SQLPGAT2 3.1.5.18: crawl components get the compilation in progress, all others the last one', () =>
    withSearch(async ({ client, database }) => {
      await addComponents(database, [1], []);
      await poll(client, crawl, 0, 0);
      for (const role of [admin, query, standalone, null]) assert.equal(await compilationOf(client, role), 0);
      assert.equal(await compilationOf(client, crawl), 1);
      await poll(client, crawl, 0, 1);
      assert.equal(await compilationOf(client, query), 1);
    }));

  test('MS-SQLPGAT2 3.1.5.81: the name of the signature, without an s, is the same procedure', () =>
    withSearch(async ({ client }) => {
      const given = { ComponentRole: standalone, ComponentID: 0, CompletedCompilationID: 0 };
      const { output } = await client.rpc('proc_MSS_ShareScopeCompilationInfo', [
        ...Object.entries(given).map(([name, value]) => ({ name, type: TYPES.Int, value })),
        { name: 'RequestedCompilationID', type: TYPES.Int, value: null, output: true },
      ]);
      assert.equal(output['RequestedCompilationID'], 1);
    }));
});
