import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sql } from '../../../../src/engine/sql.ts';
import { getFile } from '../../../../src/protocols/config/files/get-file.ts';
import { bigint } from '../../../../src/tds/types/index.ts';
import { type Farm, guid } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

const file = guid('f');
const bytes = (length: number, seed = 0): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 7 + seed) % 251));
const sha = (data: Uint8Array | undefined) => data && createHash('sha256').update(data).digest('hex');
const put = async (farm: Farm, data: Uint8Array | null, offset: number | null) =>
  (await farm.segment(file, data, offset)).status;

forEachFarm((withFarm) => {
  test('MS-WSSCFGD2 3.1.5.53: offset 0 creates a file, for an object that is stored or not', () =>
    withFarm(async (farm) => {
      assert.equal(await put(farm, Buffer.from('abc'), 0), 0);
      assert.equal((await farm.file(file))?.toString(), 'abc');
    }));

  test('MS-WSSCFGD2 3.1.5.53: returns 1 for an offset above 0 without a file, and stores nothing', () =>
    withFarm(async (farm) => {
      assert.equal(await put(farm, Buffer.from('abc'), 1), 1);
      assert.equal(await put(farm, Buffer.alloc(0), 1), 1);
      assert.equal(await put(farm, null, 1), 1, 'whatever the bytes');
      assert.equal(await farm.file(file), undefined);
    }));

  test('MS-WSSCFGD2 3.1.5.53: returns 2 for a gap, a negative offset and NULLs, and changes nothing', () =>
    withFarm(async (farm) => {
      await put(farm, Buffer.from('abc'), 0);
      assert.equal(await put(farm, Buffer.from('x'), 4), 2);
      assert.equal(await put(farm, Buffer.alloc(0), 4), 2);
      assert.equal(await put(farm, Buffer.from('x'), -1), 2);
      assert.equal(await put(farm, Buffer.from('x'), 2_147_483_647), 2);
      assert.equal(await put(farm, null, 0), 2);
      assert.equal(await put(farm, null, 1), 2);
      assert.equal(await put(farm, Buffer.from('x'), null), 2);
      assert.equal((await farm.segment(null, Buffer.from('x'), 0)).status, 2);
      assert.equal((await farm.file(file))?.toString(), 'abc');
    }));

  test('MS-WSSCFGD2 3.1.5.53: offset 0 starts a file anew, also a shorter one and an empty one', () =>
    withFarm(async (farm) => {
      await put(farm, bytes(600_000), 0);
      assert.equal(await put(farm, Buffer.from('short'), 0), 0);
      assert.equal((await farm.file(file))?.toString(), 'short');
      assert.equal(await put(farm, Buffer.alloc(0), 0), 0);
      assert.deepEqual(await farm.file(file), Buffer.alloc(0));
      const { sets } = await farm.client.call(getFile, { ObjectId: file });
      assert.equal(sets[0]?.length, 1, 'an empty file is a row');
      assert.equal(await put(farm, Buffer.from('x'), 1), 2);
    }));

  test('MS-WSSCFGD2 3.1.5.53: an empty segment within the file or at its end changes nothing', () =>
    withFarm(async (farm) => {
      await put(farm, Buffer.from('abc'), 0);
      assert.equal(await put(farm, Buffer.alloc(0), 1), 0);
      assert.equal(await put(farm, Buffer.alloc(0), 3), 0);
      assert.equal((await farm.file(file))?.toString(), 'abc');
    }));

  test('MS-WSSCFGD2 3.1.5.53: segments anywhere in a file and over its end come out as they went in', () =>
    withFarm(async (farm) => {
      const chunk = 262_144;
      let model = bytes(chunk * 3 + 100);
      await put(farm, model, 0);
      const spots: readonly (readonly [offset: number, length: number])[] = [
        [1, 1],
        [chunk - 1, 2],
        [chunk, chunk],
        [chunk - 5, chunk + 10],
        [10, chunk * 3],
        [chunk * 3, 100],
        [chunk * 3 + 99, 1],
        [chunk * 3 + 100, chunk - 100],
        [chunk * 4, chunk],
        [chunk * 5 - 1, 3],
        [chunk * 2 + 7, chunk * 4],
      ];
      for (const [seed, [offset, length]] of spots.entries()) {
        const data = bytes(length, seed + 1);
        assert.equal(await put(farm, data, offset), 0);
        model = Buffer.concat([model.subarray(0, offset), data, model.subarray(offset + length)]);
        assert.equal(sha(await farm.file(file)), sha(model), `${length} bytes at ${offset}`);
      }
    }));

  test('MS-WSSCFGD2 3.1.5.53: returns 2 for a file longer than an image can be, and changes nothing', () =>
    withFarm(async (farm, { database }) => {
      await put(farm, Buffer.from('abc'), 0);
      const longest = 2_147_483_647;
      await database.write((db) => db.run(sql`update files set length = ${longest - 1}`));
      assert.equal(await put(farm, Buffer.from('xy'), longest - 1), 2);
      const row = await database.read((db) => db.first({ Length: bigint }, sql`select length as "Length" from files`));
      assert.equal(row?.Length, BigInt(longest - 1));
    }));

  test('MS-WSSCFGD2 3.1.5.53: a file grows by many small segments', () =>
    withFarm(async (farm) => {
      const model = bytes(300_000);
      for (let at = 0; at < model.length; at += 3001)
        assert.equal(await put(farm, model.subarray(at, at + 3001), at), 0);
      assert.equal(sha(await farm.file(file)), sha(model));
    }));

  test('MS-WSSCFGD2 3.1.5.24: returns one row of the column FileImage, or none, and 0', () =>
    withFarm(async (farm) => {
      await farm.stored(guid('1'));
      const without = await farm.client.call(getFile, { ObjectId: guid('1') });
      assert.deepEqual([without.status, without.columns, without.sets], [0, [['FileImage']], [[]]]);
      assert.deepEqual((await farm.client.call(getFile, { ObjectId: null })).sets, [[]]);
      await farm.segment(guid('1'), bytes(10), 0);
      assert.equal((await farm.client.call(getFile, { ObjectId: guid('1') })).sets[0]?.length, 1);
    }));
});
