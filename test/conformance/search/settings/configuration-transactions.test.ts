import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../../../../src/protocols/search/kinds/search.ts';
import { commitConfigTransaction } from '../../../../src/protocols/search/settings/commit-config-transaction.ts';
import { createConfigTransaction } from '../../../../src/protocols/search/settings/create-config-transaction.ts';
import { getConfigurationProperties } from '../../../../src/protocols/search/settings/get-configuration-properties.ts';
import { removeConfigTransactions } from '../../../../src/protocols/search/settings/remove-config-transactions.ts';
import { setConfigPropertyWithTransaction } from '../../../../src/protocols/search/settings/set-config-property-with-transaction.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachSearch } from '../with-search.ts';

const create = async (client: TestClient) => {
  const { status, sets } = await client.call(createConfigTransaction, {});
  assert.deepEqual(sets, []);
  return status ?? 0;
};
const note = async (client: TestClient, transaction: number | null, name: string, value: string) => {
  const input = { Name: name, Value: { value }, TransactionID: transaction };
  const answer = await client.callLoosely(setConfigPropertyWithTransaction, input);
  assert.deepEqual([answer.status, answer.sets], [0, []]);
};
const commit = async (client: TestClient, transaction: number | null) => {
  const answer = await client.call(commitConfigTransaction, { TransactionID: transaction });
  assert.deepEqual([answer.status, answer.sets], [0, []]);
};
const all = async (client: TestClient) => {
  const { sets } = await client.call(getConfigurationProperties, { Pattern: '%' });
  return Object.fromEntries((sets[0] ?? []).map((row) => [row['Name'], row['Value']]));
};
const left = async (client: TestClient) => {
  const { sets } = await client.batch(`
    select count(*) as n from UncommittedConfigurationTransactions
    select count(*) as n from ConfigurationPropertiesTransactions`);
  return sets.map(([row]) => row?.['n']);
};

forEachSearch(search, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.11: identifiers of transactions rise and are not given again after commit or removal', () =>
    withSearch(async ({ client }) => {
      const first = await create(client);
      const second = await create(client);
      assert.equal(second, first + 1);
      await commit(client, second);
      assert.equal(await create(client), second + 1);
      await client.call(removeConfigTransactions, {});
      assert.equal(await create(client), second + 2);
    }));

  test('MS-SQLPGAT2 3.2.5.6: what a transaction sets is seen by nobody until it is committed, and then at once', () =>
    withSearch(async ({ client }) => {
      const transaction = await create(client);
      await note(client, transaction, 'a', 'first');
      await note(client, transaction, 'b', 'two');
      await note(client, transaction, 'A', 'last');
      assert.deepEqual(await all(client), {});
      assert.deepEqual(await left(client), [1, 2]);
      await commit(client, transaction);
      assert.deepEqual(await all(client), { a: 'last', b: 'two' });
      assert.deepEqual(await left(client), [0, 0]);
    }));

  test('MS-SQLPGAT2 3.1.5.5: overwrites what was set outside, and leaves the other transactions open', () =>
    withSearch(async ({ client }) => {
      const [one, other] = [await create(client), await create(client)];
      await note(client, one, 'a', 'of one');
      await note(client, other, 'a', 'of the other');
      await commit(client, one);
      assert.deepEqual(await all(client), { a: 'of one' });
      await commit(client, other);
      assert.deepEqual(await all(client), { a: 'of the other' });
      await commit(client, one);
      await commit(client, 99);
      await commit(client, null);
      assert.deepEqual(await all(client), { a: 'of the other' });
    }));

  test('MS-SQLPGAT2 3.1.5.71: drops all open transactions and keeps the properties', () =>
    withSearch(async ({ client }) => {
      const done = await create(client);
      await note(client, done, 'kept', 'yes');
      await commit(client, done);
      const dropped = await create(client);
      await note(client, dropped, 'kept', 'no');
      const answer = await client.call(removeConfigTransactions, {});
      assert.deepEqual([answer.status, answer.sets], [0, []]);
      assert.deepEqual(await left(client), [0, 0]);
      await commit(client, dropped);
      assert.deepEqual(await all(client), { kept: 'yes' });
    }));

  test('MS-SQLPGAT2 3.1.5.75, 4.1: setting in a committed transaction has no effect, in one that never was is an error', () =>
    withSearch(async ({ client }) => {
      const transaction = await create(client);
      await commit(client, transaction);
      await note(client, transaction, 'late', 'x');
      await commit(client, transaction);
      assert.deepEqual(await all(client), {});
      for (const never of [transaction + 1, 0, -1]) {
        await assert.rejects(note(client, never, 'lost', 'x'), { number: 50000 });
      }
      await assert.rejects(note(client, null, 'lost', 'x'), { number: 515 });
      assert.deepEqual(await left(client), [0, 0]);
    }));
});
