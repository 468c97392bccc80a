import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchProperty } from '../../../../src/protocols/search/kinds/search-property.ts';
import { forEachSearch, type SearchDatabase, type WithSearch } from '../with-search.ts';
import { change, inserts, properties, property, ready, repairs, rows, updates } from './store.ts';

const withStore =
  (withSearch: WithSearch) =>
  (work: (search: SearchDatabase) => Promise<void>): Promise<void> =>
    withSearch(async (search) => {
      await ready(search.database);
      await work(search);
    });

forEachSearch(searchProperty, (withSearch) => {
  const onStore = withStore(withSearch);

  test('MS-SQLPGAT2 3.1.5.90: adds values; text of length 0 is NULL', () =>
    onStore(async ({ client }) => {
      const long = 'ä'.repeat(3000);
      await change(client, inserts, {
        add: [
          property(1, 2, -5n, 'Title 𝄞'),
          { ...property(1, 3, 2n ** 63n - 1n, 'Author'), strVal2: long },
          property(2, 5, 7n),
        ],
      });
      assert.deepEqual(
        (await rows(client, 'MSSDocProps', 'DocId, Pid')).map((row) => Object.values(row).map(String)),
        [
          ['1', '2', '-5', 'Title 𝄞', 'null'],
          ['1', '3', '9223372036854775807', 'Author', long],
          ['2', '5', '7', 'null', 'null'],
        ],
      );
    }));

  test('MS-SQLPGAT2 3.1.5.90: a property may have several values; the same value again takes the place of the first', () =>
    onStore(async ({ client }) => {
      await change(client, inserts, { add: [property(1, 3, 10n, 'one'), property(1, 3, 11n, 'two')] });
      await change(client, inserts, { add: [property(1, 3, 11n, 'again'), property(1, 3, 11n, 'last')] });
      assert.deepEqual(await properties(client), [
        [1, 3, 10, 'one'],
        [1, 3, 11, 'last'],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.90: an update replaces all values of a property by those that it brings', () =>
    onStore(async ({ client }) => {
      await change(client, inserts, {
        add: [property(1, 3, 10n, 'one'), property(1, 3, 11n, 'two'), property(1, 4, 1n), property(2, 3, 10n, 'other')],
      });
      await change(client, updates, {
        update: [property(1, 3, 12n, 'three'), property(1, 3, 13n, 'four'), property(3, 3, 1n)],
      });
      assert.deepEqual(await properties(client), [
        [1, 3, 12, 'three'],
        [1, 3, 13, 'four'],
        [1, 4, 1, null],
        [2, 3, 10, 'other'],
        [3, 3, 1, null],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.90, 2.2.3.5: deletes all values of a property', () =>
    onStore(async ({ client }) => {
      await change(client, inserts, {
        add: [property(1, 3, 10n), property(1, 3, 11n), property(1, 4, 1n), property(2, 3, 1n)],
      });
      await change(client, updates, {
        remove: [
          { DocId: 1, Pid: 3 },
          { DocId: 9, Pid: 3 },
        ],
      });
      assert.deepEqual(await properties(client), [
        [1, 4, 1, null],
        [2, 3, 1, null],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.90, 2.2.3.7: deletes the values with this llVal, of text those with its high four bytes', () =>
    onStore(async ({ client }) => {
      const hash = (high: bigint, low: bigint) => (high << 32n) | low;
      const values = [hash(7n, 1n), hash(7n, 2n), hash(8n, 1n), hash(-7n, 1n), hash(-7n, 0xffffffffn)];
      await change(client, inserts, { add: values.flatMap((value) => [property(1, 3, value), property(1, 4, value)]) });
      await change(client, updates, {
        removeValues: [
          { DocId: 1, Pid: 3, IsStringType: 1, llVal: hash(7n, 99n) },
          { DocId: 1, Pid: 3, IsStringType: 1, llVal: hash(-7n, 5n) },
          { DocId: 1, Pid: 4, IsStringType: 0, llVal: hash(7n, 1n) },
          { DocId: 1, Pid: 4, IsStringType: 0, llVal: hash(8n, 99n) },
        ],
      });
      const left = (await rows(client, 'MSSDocProps')).map((row) => [row['Pid'], BigInt(String(row['llVal']))]);
      assert.deepEqual(
        left.filter(([pid]) => pid === 3),
        [[3, hash(8n, 1n)]],
      );
      assert.equal(left.filter(([pid]) => pid === 4).length, 4);
    }));

  test('MS-SQLPGAT2 3.1.5.90: deletions come before updates, updates before additions', () =>
    onStore(async ({ client }) => {
      await change(client, inserts, { add: [property(1, 3, 1n), property(2, 3, 1n)] });
      await change(client, updates, {
        documents: [2],
        remove: [{ DocId: 1, Pid: 3 }],
        update: [property(1, 3, 2n)],
        add: [property(1, 3, 3n), property(2, 3, 4n)],
      });
      assert.deepEqual(await properties(client), [
        [1, 3, 2, null],
        [1, 3, 3, null],
        [2, 3, 4, null],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.90: a repair first deletes what the documents have that it brings', () =>
    onStore(async ({ client }) => {
      await change(client, inserts, {
        add: [property(1, 3, 1n), property(1, 4, 1n), property(2, 3, 1n), property(3, 3, 1n)],
      });
      await change(client, repairs, { add: [property(1, 5, 9n)], update: [property(3, 5, 9n)] });
      assert.deepEqual(await properties(client), [
        [1, 5, 9, null],
        [2, 3, 1, null],
        [3, 5, 9, null],
      ]);
    }));

  test('MS-SQLPGAT2 3.1.5.90: a component that is not ready in this property store changes nothing', () =>
    withSearch(async ({ client, database }) => {
      await change(client, inserts, { add: [property(1, 3, 1n)] });
      await ready(database, 3);
      await change(client, inserts, { add: [property(1, 3, 1n)] });
      assert.deepEqual(await properties(client), []);
      await ready(database);
      await change(client, inserts, { add: [property(1, 3, 1n)] }, { ComponentID: 5 });
      await change(client, inserts, { add: [property(1, 3, 1n)] }, { ComponentID: null });
      assert.deepEqual(await properties(client), []);
      await change(client, inserts, { add: [property(1, 3, 1n)] });
      assert.equal((await properties(client)).length, 1);
    }));

  test('MS-SQLPGAT2 3.1.5.90: a component that is not ready is answered at once, whatever its records are', () =>
    withSearch(async ({ client, database }) => {
      const add = { add: [property(1, 3, 1n)] };
      await change(client, inserts, add, { addRows: 2 });
      await change(client, 9, add);
      await ready(database);
      await assert.rejects(change(client, inserts, add, { addRows: 2 }), { number: 50000 });
      await assert.rejects(change(client, 9, add), { number: 50000 });
      assert.deepEqual(await properties(client), []);
    }));

  test('MS-SQLPGAT2 3.1.5.90: with 0 rows a blob is ignored, whatever it holds', () =>
    onStore(async ({ client }) => {
      const junk = { addRows: 0, addBlob: Buffer.from('junk'), definitionRows: 0, definitionBlob: null };
      await change(client, inserts, { update: [property(1, 3, 1n)] }, junk);
      assert.deepEqual(await properties(client), [[1, 3, 1, null]]);
    }));

  test('MS-SQLPGAT2 3.1.5.90: a hundred documents of twenty properties in one call', () =>
    onStore(async ({ client }) => {
      const add = Array.from({ length: 2000 }, (_, i) =>
        property(1 + Math.floor(i / 20), i % 20, BigInt(i), `value ${i}`),
      );
      await change(client, inserts, { add });
      await change(client, inserts, { add });
      assert.equal((await properties(client)).length, 2000);
      await change(client, inserts, { documents: Array.from({ length: 99 }, (_, i) => i + 1) });
      assert.equal((await properties(client)).length, 20);
    }));
});
