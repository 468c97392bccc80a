import assert from 'node:assert/strict';
import { test } from 'node:test';
import { config } from '../../../src/protocols/config/kind.ts';
import { putClass } from '../../../src/protocols/config/objects/put-class.ts';
import type { TestClient } from '../../support/client.ts';
import { type EngineName, forEachEngine } from '../../support/engines.ts';
import { startServer } from '../../support/server.ts';
import { guid } from './farm.ts';

const first = guid('c1', 1);
const second = guid('c1', 2);

const put = (client: TestClient, id: string, base: string | null = null) =>
  client.call(putClass, { Id: id, BaseClassId: base, FullName: 'Example.Class' });

/** True when the class is registered: nothing derives from one that is not. */
const isRegistered = async (client: TestClient, id: string) => (await put(client, guid('c2'), id)).status === 0;

/** A server whose execution timeout is met only by a request that waits for what does not come. */
const withTimeout = (engine: EngineName) =>
  startServer({ engine, kinds: [config], settings: { executionTimeout: 1000 } });

const outOfTime = { number: 50000, message: /execution timeout of 1000 ms/ };

/** Work that is done anew where it failed, for a machine that stands still runs out of time by itself. */
async function tried(work: () => Promise<void>, tries = 3): Promise<void> {
  return work().catch((error: unknown) => {
    if (tries === 1) throw error;
    return tried(work, tries - 1);
  });
}

forEachEngine((engine) => {
  test('MS-WSSCFGD2 3.1.2: a batch that takes longer than the execution timeout is cancelled; its connection goes on', () =>
    tried(async () => {
      await using server = await withTimeout(engine);
      const client = await server.connect('SharePoint_Config');
      const late = `
      exec proc_putClass '${first}', null, N'First'
      waitfor delay '01:00:00'
      exec proc_putClass '${second}', null, N'Second'`;
      await assert.rejects(client.batch(late), outOfTime);
      assert.deepEqual([await isRegistered(client, first), await isRegistered(client, second)], [true, false]);
    }));

  test('MS-WSSCFGD2 3.1.2: a call that runs out of time changes nothing, whatever it waits for', () =>
    tried(async () => {
      await using server = await withTimeout(engine);
      const holder = await server.connect('SharePoint_Config');
      const waiter = await server.connect('SharePoint_Config');
      await holder.batch(`begin transaction; exec proc_putClass '${first}', null, N'First'`);
      await assert.rejects(put(waiter, first), outOfTime);
      await holder.batch('rollback');
      assert.equal(await isRegistered(waiter, first), false);
      assert.equal((await put(waiter, first)).status, 0);
    }));

  test('MS-WSSCFGD2 3.1.2: an error inside TRY is caught, running out of time is not', () =>
    tried(async () => {
      await using server = await withTimeout(engine);
      const client = await server.connect('SharePoint_Config');
      const late = `begin try waitfor delay '01:00:00' end try begin catch select 1 as caught end catch`;
      await assert.rejects(client.batch(late), outOfTime);
      assert.deepEqual((await client.batch('select @@trancount as open_transactions')).sets, [
        [{ open_transactions: 0 }],
      ]);
    }));
});
