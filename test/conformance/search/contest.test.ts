import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../../../src/protocols/search/kinds/search.ts';
import { pushSD } from '../../../src/protocols/search/properties/push-sd.ts';
import { addAndReturnCrawledProperty } from '../../../src/protocols/search/schema/add-and-return-crawled-property.ts';
import { createConfigTransaction } from '../../../src/protocols/search/settings/create-config-transaction.ts';
import type { TestClient } from '../../support/client.ts';
import { poll, standalone } from './scopes/scopes.ts';
import { forEachSearch, type SearchDatabase } from './with-search.ts';

const clients = 6;
const rounds = 5;

/** Lets several clients do the same at the same time, a few times, and returns all that they got. */
async function together<T>({ connect }: SearchDatabase, work: (client: TestClient, round: number) => Promise<T>) {
  const all: TestClient[] = [];
  for (let n = 0; n < clients; n++) all.push(await connect());
  const got: T[][] = [];
  for (let round = 0; round < rounds; round++) got.push(await Promise.all(all.map((client) => work(client, round))));
  return got;
}

forEachSearch(search, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.67: descriptors that are pushed at the same time get identifiers of their own', () =>
    withSearch(async (database) => {
      const ids = await together(database, async (client) => {
        const { output } = await client.call(pushSD, { sd: Buffer.from([1]), sdCheckSum: 1, type: 1 });
        return output['sdid'];
      });
      assert.equal(new Set(ids.flat()).size, clients * rounds);
    }));

  test('MS-SQLPGAT2 3.1.5.11: transactions that are made at the same time get identifiers of their own', () =>
    withSearch(async (database) => {
      const ids = await together(database, async (client) => (await client.call(createConfigTransaction, {})).status);
      assert.equal(new Set(ids.flat()).size, clients * rounds);
    }));

  test('MS-SQLPGAT2 3.1.5.1: a property that several find at the same time is added once', () =>
    withSearch(async (database) => {
      const found = await together(database, async (client, round) => {
        const { output } = await client.call(addAndReturnCrawledProperty, {
          Propset: '0a0b0c0d-0000-0000-0000-000000000001',
          PropertyName: `Property ${round}`,
          PropertyNameIsEnum: false,
          VariantType: 31,
          FriendlyName: `Property ${round}`,
          ManagedType: 1,
          FullTextQueriable: true,
          Retrievable: true,
          Scoped: false,
          MaxIndexedStringLength: 64,
          MaxNonIndexedStringLength: 64,
          ManagedPropDecimalPlaces: 0,
        });
        return output;
      });
      for (const outputs of found) {
        assert.equal(new Set(outputs.map(({ crawledPropId, pid }) => `${crawledPropId} ${pid}`)).size, 1);
        assert.equal(outputs.filter(({ crawledPropExists }) => crawledPropExists === false).length, 1);
        assert.equal(outputs.filter(({ managedPropExists }) => managedPropExists === false).length, 1);
      }
    }));

  test('MS-SQLPGAT2 3.1.5.81: polls at the same time start and complete one compilation', () =>
    withSearch(async (database) => {
      const asked = await together(database, (client, round) => poll(client, standalone, 0, round === 0 ? 0 : 1));
      for (const requested of asked) assert.deepEqual(new Set(requested), new Set([1]));
      const { sets } = await database.client.batch('select LastConsumerChangeID as n from ScopesSystem');
      assert.deepEqual(sets[0], [{ n: 1 }]);
    }));
});
