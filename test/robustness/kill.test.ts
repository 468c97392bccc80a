import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestClient } from '../support/client.ts';
import { batch } from '../support/recorder.ts';
import type { TestServer } from '../support/server.ts';
import { openSession } from '../support/session.ts';
import { startLab } from './support/lab-server.ts';

describe('KILL', () => {
  let server: TestServer;
  let client: TestClient;
  before(async () => {
    server = await startLab();
    client = await server.connect('Lab');
  });
  after(() => server[Symbol.asyncDispose]());

  const spidOf = async (of: TestClient): Promise<number> =>
    Number((await of.batch('select @@spid as spid')).sets[0]?.[0]?.['spid']);
  const countNotes = async () => (await client.batch('declare @n int exec lab_Count @n output select @n as n')).sets;

  test('cuts an idle session off, and undoes its transaction', async () => {
    const victim = await server.connect('Lab');
    const before = await countNotes();
    await victim.batch("begin transaction exec lab_Put 4711, 'never kept'");
    const spid = await spidOf(victim);
    const ended = once(victim.connection, 'end');
    await client.batch(`kill ${spid}`);
    await ended;
    assert.deepEqual(await countNotes(), before);
    await assert.rejects(client.batch(`kill ${spid}`), { number: 6106 });
  });

  test('ends what a session runs', async () => {
    const victim = await server.connect('Lab');
    const spid = await spidOf(victim);
    const ended = assert.rejects(victim.batch("waitfor delay '00:10:00'"), /socket hang up|ECONNRESET/);
    const running = `select 1 as one from sys.dm_exec_requests where session_id = ${spid}`;
    while ((await client.batch(running)).sets[0]?.length === 0) await sleep(10);
    await client.batch(`kill ${spid}`);
    await ended;
    await assert.rejects(client.batch(`kill ${spid}`), { number: 6106 });
  });

  test('refuses what SQL Server refuses', async () => {
    await assert.rejects(client.batch(`kill ${await spidOf(client)}`), { number: 6104 });
    await assert.rejects(client.batch('kill 7'), { number: 6107 });
    await assert.rejects(client.batch('kill 0'), { number: 6101 });
    await assert.rejects(client.batch('kill 40000'), { number: 6101 });
    await assert.rejects(client.batch('kill 3000 with statusonly'), { number: 6120 });
    await assert.rejects(client.batch('begin transaction kill 3000'), { number: 6115 });
    await client.batch('rollback');
    await assert.rejects(client.batch('kill everybody'), { number: 102 });
  });

  test('is for administrators', async () => {
    const host = await openSession({ isAdministrator: false });
    assert.deepEqual(
      (await batch(host, 'kill 60')).errors.map(({ number }) => number),
      [6102],
    );
  });
});
