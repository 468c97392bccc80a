import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchAdmin } from '../../../../src/protocols/search/kinds/search-admin.ts';
import type { TestClient } from '../../../support/client.ts';
import {
  add,
  addComponents,
  compilationOf,
  compiled,
  compiledScopes,
  crawl,
  nothing,
  poll,
  query,
  remove,
  scopesWithRules,
  work,
} from '../scopes/scopes.ts';
import { forEachSearch } from '../with-search.ts';

/** A component that compiles what it is asked to at each of its polls. */
class Compiler {
  readonly client: TestClient;
  readonly role: number;
  readonly number: number;
  completed = 0;

  constructor(client: TestClient, role: number, number: number) {
    this.client = client;
    this.role = role;
    this.number = number;
  }

  /** Polls; when something newer is asked for it fetches the work and reports that it is done. */
  async poll(): Promise<Awaited<ReturnType<typeof work>> | undefined> {
    const requested = Number(await poll(this.client, this.role, this.number, this.completed));
    if (requested <= this.completed) return undefined;
    const fetched = await work(this.client);
    this.completed = requested;
    await poll(this.client, this.role, this.number, this.completed);
    return fetched;
  }
}

forEachSearch(searchAdmin, (withSearch) => {
  test('MS-SQLPGAT2 3.2.5.7: two crawl components and a query component compile scopes together, time and again', () =>
    withSearch(async ({ client, connect, database, clock }) => {
      await addComponents(database, [1, 1], [0]);
      const [one, two] = [new Compiler(await connect(), crawl, 0), new Compiler(await connect(), crawl, 1)];
      const asker = new Compiler(await connect(), query, 0);
      const docs = await add(database, 'Docs', ['http://a/docs']);
      assert.deepEqual(await compiledScopes(client), []);

      assert.equal(await asker.poll(), undefined, 'crawl components come first');
      const fetched = await one.poll();
      assert.deepEqual(
        fetched?.scopes?.map((row) => row['ScopeID']),
        [1, docs],
      );
      assert.equal(fetched?.rules?.length, 1);
      assert.equal(await asker.poll(), undefined);
      assert.deepEqual(await two.poll(), fetched, 'the same work');
      assert.deepEqual(await compiledScopes(client), []);
      assert.deepEqual(await asker.poll(), fetched);
      assert.deepEqual(await compiledScopes(client), [
        [1, compiled],
        [docs, compiled],
      ]);
      assert.deepEqual(await scopesWithRules(client), [[docs, compiled]]);
      assert.deepEqual(await work(client), nothing);
      assert.deepEqual([await compilationOf(client, crawl), await compilationOf(client, query)], [2, 2]);
      for (const component of [one, two, asker]) assert.equal(await component.poll(), undefined);

      clock.advance(30_000);
      await remove(database, docs);
      const late = await add(database, 'Late', ['http://late/']);
      for (const component of [one, two, asker]) {
        const next = await component.poll();
        assert.deepEqual(next?.deleted, [docs]);
        assert.deepEqual(
          next?.scopes?.map((row) => row['ScopeID']),
          [late],
        );
      }
      assert.deepEqual(await compiledScopes(client), [
        [1, compiled],
        [late, compiled],
      ]);
    }));

  test('MS-SQLPGAT2 3.2.5.7: a component that is disabled while scopes are compiled keeps nobody waiting', () =>
    withSearch(async ({ client, connect, database }) => {
      await addComponents(database, [1, 1], []);
      const one = new Compiler(await connect(), crawl, 0);
      await one.poll();
      assert.deepEqual(await compiledScopes(client), []);
      await database.write((db) =>
        db.insert('crawl_components', ['number', 'crawl_store', 'state', 'desired_state'], [[1, 0, 3, 1]], ['number']),
      );
      await one.poll();
      assert.deepEqual(await compiledScopes(client), [[1, compiled]]);
    }));
});
