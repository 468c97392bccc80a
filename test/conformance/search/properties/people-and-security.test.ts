import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchProperty } from '../../../../src/protocols/search/kinds/search-property.ts';
import { getMatrixPIAliases } from '../../../../src/protocols/search/properties/get-matrix-pi-aliases.ts';
import { getPreferredNameList } from '../../../../src/protocols/search/properties/get-preferred-name-list.ts';
import { getSDID } from '../../../../src/protocols/search/properties/get-sdid.ts';
import { pushSD } from '../../../../src/protocols/search/properties/push-sd.ts';
import { forEachSearch } from '../with-search.ts';
import { change, inserts, property, ready } from './store.ts';

const alias = (DocId: number, Pid: number, strVal2: string | null, llVal = 1n) => ({
  ...property(DocId, Pid, llVal, 'short'),
  strVal2,
});

forEachSearch(searchProperty, (withSearch) => {
  test('MS-SQLPGAT2 3.1.5.50: lists each preferred name once', () =>
    withSearch(async ({ client, database }) => {
      await ready(database);
      await change(client, inserts, {
        add: [
          property(1, 19, 1n, 'Ann'),
          property(2, 19, 1n, 'Bob'),
          property(3, 19, 1n, 'ann'),
          property(4, 19, 1n),
          property(5, 18, 1n, 'Eve'),
        ],
      });
      const { status, sets } = await client.call(getPreferredNameList, {});
      assert.equal(status, 0);
      const names = (sets[0] ?? []).map((row) => row['NAME']);
      assert.deepEqual(names.map((name) => String(name).toLowerCase()).sort(), ['ann', 'bob', 'null']);
    }));

  test('MS-SQLPGAT2 3.1.5.44: pairs strVal of property 19 with strVal2 of 15, 21 and 27 of the same document', () =>
    withSearch(async ({ client, database }) => {
      await ready(database);
      await change(client, inserts, {
        add: [
          property(1, 19, 1n, 'Ann'),
          alias(1, 15, 'first'),
          alias(1, 21, 'second'),
          alias(1, 27, 'third'),
          alias(1, 27, 'fourth', 2n),
          alias(1, 28, 'no name'),
          alias(1, 15, null, 3n),
          alias(2, 15, 'nobody'),
          property(3, 19, 1n, 'Bob'),
        ],
      });
      const { sets } = await client.call(getMatrixPIAliases, {});
      assert.deepEqual(
        (sets[0] ?? []).map((row) => [row['From'], row['To']]).sort(),
        ['first', 'fourth', 'second', 'third'].map((name) => ['Ann', name]),
      );
    }));

  test('MS-SQLPGAT2 3.1.5.67, 3.1.5.58: descriptors get identifiers of their own and are found by their checksums', () =>
    withSearch(async ({ client }) => {
      const push = async (sd: Uint8Array | null, sdCheckSum: number | null, type: number | null = 1) => {
        const { status, sets, output } = await client.callLoosely(pushSD, { sd, sdCheckSum, type });
        assert.deepEqual([status, sets], [0, []]);
        return output['sdid'];
      };
      const find = async (sdCheckSum: number | null) => (await client.call(getSDID, { sdCheckSum })).sets[0];
      const [one, two] = [Buffer.from([1, 2, 3]), Buffer.alloc(70_000, 5)];
      const first = await push(one, -7);
      const second = await push(two, -7, 0);
      const third = await push(one, 8);
      assert.equal(new Set([first, second, third]).size, 3);
      assert.deepEqual(await find(-7), [
        { SDID: first, SD: one },
        { SDID: second, SD: two },
      ]);
      assert.deepEqual(await find(8), [{ SDID: third, SD: one }]);
      assert.deepEqual(await find(9), []);
      assert.deepEqual(await find(null), []);
      await assert.rejects(push(one, 1, 2), { number: 50000 });
      await assert.rejects(push(null, 1), { number: 515 });
      await assert.rejects(push(one, null), { number: 515 });
      await assert.rejects(push(one, 1, null), { number: 515 });
      assert.deepEqual(await find(1), []);
    }));
});
