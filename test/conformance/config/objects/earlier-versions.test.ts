import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Farm, guid, versionOf } from '../farm.ts';
import { forEachFarm } from '../with-farm.ts';

const id = guid('1');

const kept = async (farm: Farm) => {
  const { sets } = await farm.client.batch('select Version, Properties from ObjectVersions order by Version');
  return (sets[0] ?? []).map((row) => ({ version: versionOf(row['Version']), properties: row['Properties'] }));
};

forEachFarm((withFarm) => {
  test('the last five earlier versions of an object are kept for people, and go with it', () =>
    withFarm(async (farm) => {
      const versions: bigint[] = [];
      for (let n = 0; n < 8; n++) {
        const Version = versions.at(-1) ?? null;
        versions.push(await farm.stored(id, { Version, Properties: `<o n="${n}"/>` }));
      }
      const expected = versions.slice(2, 7).map((version, at) => ({ version, properties: `<o n="${at + 2}"/>` }));
      assert.deepEqual(await kept(farm), expected);
      assert.equal((await farm.put(id, { Version: 4n })).status, 4);
      assert.deepEqual(await kept(farm), expected);
      await farm.client.batch(`exec proc_dropObject @Id = '${id}'`);
      assert.deepEqual(await kept(farm), []);
    }));

  test('a lock tells how long its holder would have it', () =>
    withFarm(async (farm) => {
      await farm.client.batch(`
        declare @s int, @e uniqueidentifier
        exec proc_AddTimerLockForJob @JobId = '${guid('a')}', @ServerId = '${guid('b')}', @LockTimeout = 20,
          @LockStatus = @s output, @LockExpiredServerId = @e output
        exec proc_GetTimerLock @ServerId = '${guid('b')}', @LockTimeout = 30, @LockStatus = @s output`);
      const { sets } = await farm.client.batch(
        'select LockTimeout from TimerLocks; select LockTimeout from ContentDatabaseLocks',
      );
      assert.deepEqual(
        sets.map(([row]) => row?.['LockTimeout']),
        [20, 30],
      );
    }));
});
