import assert from 'node:assert/strict';
import { test } from 'node:test';
import { search } from '../../../../src/protocols/search/kinds/search.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachSearch } from '../with-search.ts';
import { change, inserts, packed, properties, property } from './store.ts';

const batch = { add: [property(1, 2, 3n, 'text')], update: [property(1, 3, 3n, 'more')], documents: [7] };
const good = packed(batch);
const blobOf = (name: string) => Buffer.from(good[name] as Uint8Array);

/** The blob with another number at a place. */
const changed = (name: string, at: number, value: number) => {
  const blob = blobOf(name);
  blob.writeInt32BE(value, at);
  return { [name]: blob };
};

const counts = Object.keys(good).filter((name) => /Rows/.test(name));
const lies: readonly (readonly [string, object, number])[] = [
  ['more rows than records', { addRows: 2 }, 50000],
  ['fewer rows than records', { addRows: 1, addBlob: Buffer.concat([blobOf('addBlob'), blobOf('addBlob')]) }, 50000],
  ['rows below zero', { addRows: -1 }, 50000],
  ['rows without end', { addRows: 2147483647 }, 50000],
  ['a record that is cut', { addBlob: blobOf('addBlob').subarray(0, 31) }, 50000],
  ['rows without a blob', { updateBlob: null }, 50000],
  ['text that is not there', { addStringBlob: null }, 50000],
  ['an offset outside the text', changed('addBlob', 16, 5), 50000],
  ['an offset below zero', changed('addBlob', 16, -2147483648), 50000],
  ['a length beyond the text', changed('updateBlob', 20, 2147483647), 50000],
  ['a length below zero', changed('updateBlob', 20, -1), 50000],
  ['half of a surrogate pair', { addStringBlob: '\ud834abc' }, 50000],
  ['an identifier of a document that is cut', { deleteDocIdBlob: Buffer.alloc(3) }, 50000],
  ['security records of 62 bytes', { docSdIdsRows: 1, docSdIdsBlob: Buffer.alloc(62) }, 50000],
  ['a kind of value that there is not', { deleteRowsWithHash: 1, deleteWithHashBlob: Buffer.alloc(17, 2) }, 50000],
  ['text that is too long', { addStringBlob: 'x'.repeat(451), ...changed('addBlob', 20, 451) }, 8152],
];

const call = (client: TestClient, more: object, queueType: number | null = inserts) =>
  change(client, queueType, batch, more);

forEachSearch(search, (withSearch) => {
  for (const [lie, more, number] of lies) {
    test(`MS-SQLPGAT2 3.1.5.90: ${lie} is an error, and nothing is kept`, () =>
      withSearch(async ({ client }) => {
        await change(client, inserts, { add: [property(7, 7, 7n)] });
        await assert.rejects(call(client, more), { number });
        assert.deepEqual(await properties(client), [[7, 7, 7, null]]);
        await call(client, {});
        assert.equal((await properties(client)).length, 2);
      }));
  }

  test('MS-SQLPGAT2 3.1.5.90: none of the numbers of rows may be NULL', () =>
    withSearch(async ({ client }) => {
      assert.equal(counts.length, 10);
      for (const name of counts) await assert.rejects(call(client, { [name]: null }), { number: 515 });
      assert.deepEqual(await properties(client), []);
    }));

  test('MS-SQLPGAT2 2.2.1.18: the update queue types are 1 to 4', () =>
    withSearch(async ({ client }) => {
      for (const queue of [0, 5, -1, null]) await assert.rejects(call(client, {}, queue), { number: 50000 });
      assert.deepEqual(await properties(client), []);
    }));
});
