import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TYPES } from 'tedious';
import { translation } from '../../../src/protocols/translation/kind.ts';
import type { TestClient } from '../../support/client.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const lock = (client: TestClient, resource: string, owner: string, timeout = 0, mode = 'Exclusive') =>
  client.rpc('sp_getapplock', [
    { name: 'Resource', type: TYPES.NVarChar, value: resource },
    { name: 'LockMode', type: TYPES.VarChar, value: mode },
    { name: 'LockOwner', type: TYPES.VarChar, value: owner },
    { name: 'LockTimeout', type: TYPES.Int, value: timeout },
  ]);
const release = (client: TestClient, resource: string, owner: string) =>
  client.rpc('sp_releaseapplock', [
    { name: 'Resource', type: TYPES.NVarChar, value: resource },
    { name: 'LockOwner', type: TYPES.VarChar, value: owner },
  ]);

/** Resolves when somebody waits for the resource, which every look at sys.dm_tran_locks may show. */
async function untilAwaited(observer: TestClient, resource: string): Promise<void> {
  const waits = `select 1 as one from sys.dm_tran_locks where request_status = 'WAIT' and resource_description = '0:[${resource}]'`;
  while ((await observer.batch(waits)).rowCount === 0);
}

describe('sp_getapplock and sp_releaseapplock', () => {
  let server: TestServer;
  const open = () => server.connect(translation.firstDatabase);

  before(async () => {
    server = await startServer({ kinds: [translation] });
  });
  after(() => server[Symbol.asyncDispose]());

  test('sp_getapplock: a session keeps others out until it releases', async () => {
    const [first, second] = [await open(), await open()];
    assert.equal((await lock(first, 'nightly', 'Session')).status, 0);
    assert.equal((await lock(second, 'nightly', 'Session')).status, -1);
    assert.equal((await lock(second, 'NIGHTLY', 'Session')).status, 0, 'resources are compared byte by byte');
    const waiting = lock(second, 'nightly', 'Session', -1);
    await untilAwaited(first, 'nightly');
    assert.equal((await first.batch('exec sp_who')).sets[0]?.filter((row) => row['blk'] !== '0    ').length, 1);
    assert.equal((await release(first, 'nightly', 'Session')).status, 0);
    assert.equal((await waiting).status, 1);
    assert.equal((await release(first, 'nightly', 'Session')).status, -999);
  });

  test('sp_getapplock: a lock of a transaction ends with it', async () => {
    const [first, second] = [await open(), await open()];
    assert.equal((await lock(first, 'batch', 'Transaction')).status, -999, 'there is no transaction yet');
    await first.batch('begin transaction');
    assert.equal((await lock(first, 'batch', 'Transaction')).status, 0);
    assert.equal((await lock(second, 'batch', 'Session')).status, -1);
    await first.batch('rollback transaction');
    assert.equal((await lock(second, 'batch', 'Session')).status, 0);
  });

  test('sp_getapplock: a lock of a session ends when its client goes', async () => {
    const [first, second] = [await open(), await open()];
    await lock(first, 'worker', 'Session');
    const waiting = lock(second, 'worker', 'Session', -1);
    await untilAwaited(first, 'worker');
    await first[Symbol.asyncDispose]();
    assert.equal((await waiting).status, 1);
  });

  test('sp_getapplock: two sessions that would wait for each other are told so', async () => {
    const [first, second] = [await open(), await open()];
    await lock(first, 'left', 'Session');
    await lock(second, 'right', 'Session');
    // Whoever asks last closes the circle; the other gets its lock once the loser has given way.
    const crossing = [
      { client: first, holds: 'left', asked: lock(first, 'right', 'Session', -1) },
      { client: second, holds: 'right', asked: lock(second, 'left', 'Session', -1) },
    ] as const;
    const loser = await Promise.race(crossing.map(async (one) => ({ ...one, status: (await one.asked).status })));
    assert.equal(loser.status, -3);
    await release(loser.client, loser.holds, 'Session');
    const statuses = await Promise.all(crossing.map(async ({ asked }) => (await asked).status));
    assert.deepEqual(statuses.sort(), [-3, 1]);
  });

  test('sp_getapplock: wrong words are -999', async () => {
    const client = await open();
    assert.equal((await lock(client, 'odd', 'Nobody')).status, -999);
    assert.equal((await lock(client, 'odd', 'Session', 0, 'Sideways')).status, -999);
  });
});
