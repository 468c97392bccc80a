import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { packetTypes } from '../../src/tds/packet/index.ts';
import { encodeSmp, smpFlags } from '../../src/tds/smp/index.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { startLab } from './support/lab-server.ts';
import { MarsClient } from './support/mars-client.ts';
import { RawClient } from './support/raw-client.ts';
import { ServedLab } from './support/served-lab.ts';
import { call, megabyte } from './support/streaming.ts';
import { rows } from './support/tokens.ts';
import { until } from './support/until.ts';
import { withstands } from './support/withstands.ts';

const control = (flag: number, sid: number) =>
  encodeSmp({ flag: flag as (typeof smpFlags)['syn'], sid, sequence: 0, window: 4 });

forEngineOfRun((engine) => {
  test('MARS: more sessions than a connection may have end it', async () => {
    await using server = await startLab({ engine });
    await using client = await MarsClient.login(server.port);
    const sessions = Array.from({ length: 1000 }, (_, sid) => client.open(sid));
    const answered = sessions.map(async (session, sid) => {
      await session.sendBatch(`select ${sid}`);
      return rows(await session.tokens())[0]?.[0];
    });
    assert.deepEqual(await Promise.all(answered), [...sessions.keys()]);
    for (let sid = 1000; sid < 1100; sid++) client.control(smpFlags.syn, sid, 0, 4);
    await until('the connection is closed', () => client.isClosed);
  });

  test('MARS: floods of SYN and FIN, by clients that read nothing, keep nobody waiting and take no memory', async () => {
    await using lab = await ServedLab.start(engine);
    const pairs = Buffer.concat(
      Array.from({ length: 2000 }, (_, sid) => [control(smpFlags.syn, sid), control(smpFlags.fin, sid)]).flat(),
    );
    await withstands(lab, async (port, clients) => {
      const end = performance.now() + 1000;
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          const client = clients.use(await MarsClient.login(port));
          client.raw.socket.pause();
          while (performance.now() < end && !client.isClosed) {
            if (!client.raw.socket.write(pairs)) await delay(5);
          }
        }),
      );
    });
  });

  test('MARS: sessions that never acknowledge hold what was sent once, and no more is made', async () => {
    await using lab = await ServedLab.start(engine, { messageMemoryPerAddress: 32 * megabyte });
    await withstands(lab, async (port, clients) => {
      const client = clients.use(await MarsClient.login(port));
      for (let sid = 0; sid < 200; sid++) {
        const session = client.open(sid);
        session.acknowledges = false;
        await session.sendRpc(call('lab_Generate', 1_000_000));
      }
      await delay(1000);
    });
  });

  test('MARS: messages that never end take no more memory in many sessions than in one connection', async () => {
    await using lab = await ServedLab.start(engine, {
      messageMemory: 64 * megabyte,
      messageMemoryPerAddress: 32 * megabyte,
    });
    const packet = Buffer.alloc(4096, 0x20);
    Buffer.of(packetTypes.sqlBatch, 0, 16, 0, 0, 0, 1, 0).copy(packet);
    await withstands(lab, async (port, clients) => {
      const client = clients.use(await MarsClient.login(port));
      const sessions = Array.from({ length: 100 }, (_, sid) => client.open(sid));
      await until('who holds most is refused', () => {
        for (const session of sessions) while (session.sent < session.limit && !client.isClosed) session.data(packet);
        return client.isClosed;
      });
    });
  });

  test('MARS: readers of one connection that stall keep no other login from reading', async () => {
    // Nobody is cut off for not reading while this lasts.
    await using server = await startLab({ engine, settings: { sendTimeout: 600_000 } });
    await using client = await MarsClient.login(server.port);
    await using innocent = await RawClient.login(server.port);
    for (let sid = 0; sid < 40; sid++) {
      const session = client.open(sid);
      session.acknowledges = false;
      await session.sendRpc(call('lab_Select', 100_000));
    }
    await delay(100);
    for (let times = 0; times < 5; times++) {
      const began = performance.now();
      assert.equal(rows(await innocent.rpc('lab_Select', call('', 3)[0]?.params ?? [])).length, 3);
      assert.ok(performance.now() - began < 60_000);
    }
  });
});
