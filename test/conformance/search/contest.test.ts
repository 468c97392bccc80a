import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../../../src/protocols/search/kinds/search.ts';
import { pushSD } from '../../../src/protocols/search/properties/push-sd.ts';
import { addAndReturnCrawledProperty } from '../../../src/protocols/search/schema/add-and-return-crawled-property.ts';
import { createConfigTransaction } from '../../../src/protocols/search/settings/create-config-transaction.ts';
import type { TestClient } from '../../support/client.ts';
import { change, properties, property, updates } from './properties/store.ts';
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

  test('MS-SQLPGAT2 3.1.5.90: components that bring the same documents at the same time leave each as one brought it', () =>
    withSearch(async (database) => {
      let turn = 0n;
      await together(database, async (client) => {
        const value = ++turn;
        const documents = [1, 2, 3, 4, 5].map((n) => (value % 2n === 0n ? n : 6 - n));
        await change(client, updates, {
          update: documents.flatMap((id) => [property(id, 2, value, 'x'), property(id, 3, value)]),
          signatures: documents.map((DocId) => ({
            DocId,
            SchemaSignature: 1,
            UrlSignature: BigInt(DocId),
            ContentSignature: value,
            CrawlTime: value,
          })),
        });
      });
      const rows = await properties(database.client);
      for (const id of [1, 2, 3, 4, 5]) {
        const own = rows.filter(([doc, pid]) => doc === id && Number(pid) < 10);
        assert.deepEqual(
          own.map(([, pid]) => pid),
          [2, 3],
        );
        assert.equal(own[0]?.[2], own[1]?.[2], 'both of one call');
      }
      assert.equal(rows.length, 20, 'and the two times of each');
    }));

  test('MS-SQLPGAT2 3.1.5.81: polls at the same time start and complete one compilation', () =>
    withSearch(async (database) => {
      const asked = await together(database, (client, round) => poll(client, standalone, 0, round === 0 ? 0 : 1));
      for (const requested of asked) assert.deepEqual(new Set(requested), new Set([1]));
      const { sets } = await database.client.batch('select LastConsumerChangeID as n from ScopesSystem');
      assert.deepEqual(sets[0], [{ n: 1 }]);
    }));
});
