import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { packetTypes } from '../../src/tds/packet/index.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { answers, startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { ServedLab } from './support/served-lab.ts';
import { megabyte } from './support/streaming.ts';
import { errors, only } from './support/tokens.ts';
import { until } from './support/until.ts';
import { withstands } from './support/withstands.ts';

/** A packet that is not the last of its message. */
function open(type: number, payload: number, id = 1): Buffer {
  const packet = Buffer.alloc(8 + payload, 0x20);
  Buffer.of(type, 0, packet.length >>> 8, packet.length & 0xff, 0, 0, id, 0).copy(packet);
  return packet;
}

const full = open(packetTypes.sqlBatch, 4088);
const empty = open(packetTypes.sqlBatch, 0);
const endlessAttention = open(packetTypes.attention, 4088);

/** Sends the same bytes until the time is over, so many bytes have gone, or the server has closed. */
async function flood(client: RawClient, bytes: Buffer, milliseconds: number, most = Number.POSITIVE_INFINITY) {
  const block = Buffer.concat(Array.from({ length: Math.ceil(65_536 / bytes.length) }, () => bytes));
  const end = performance.now() + milliseconds;
  for (let sent = 0; sent < most && performance.now() < end && !client.socket.destroyed; sent += block.length) {
    if (!client.socket.write(block)) {
      const wait = new AbortController();
      const { signal } = wait;
      await Promise.race([once(client.socket, 'drain', { signal }), delay(200, undefined, { signal })]).catch(() => {});
      wait.abort();
    }
  }
}

forEngineOfRun((engine) => {
  test('MS-TDS 2.2.1.7: one empty final packet is the only attention; any other ends its connection', async () => {
    await using server = await startLab({ engine });
    const others = [endlessAttention, open(packetTypes.attention, 0), Buffer.concat([open(6, 4)])];
    others[2]?.writeUInt8(1, 1);
    for (const bytes of others) {
      await using client = await RawClient.login(server.port);
      client.write(bytes);
      assert.deepEqual(errors(await client.lastWords()), [4002]);
    }
    await using client = await RawClient.login(server.port);
    client.write(full);
    client.attention();
    assert.deepEqual(errors(await client.tokens()), []);
    await answers(client);
  });

  test('bytes of unfinished messages take no memory without limit, neither before the login nor after it', async (t) => {
    await using lab = await ServedLab.start(engine, {
      messageMemory: 64 * megabyte,
      messageMemoryPerAddress: 32 * megabyte,
    });
    for (const stage of ['before', 'after']) {
      for (const bytes of [endlessAttention, empty, full]) {
        const { longest, calls } = await withstands(lab, async (port, clients) => {
          await Promise.all(
            Array.from({ length: 8 }, async () => {
              const client = clients.use(await (stage === 'before' ? RawClient.connect(port) : RawClient.login(port)));
              await flood(client, bytes, 500);
            }),
          );
        });
        t.diagnostic(`${stage} the login: longest wait ${longest.toFixed(0)} ms of ${calls} calls`);
      }
    }
  });

  test('messages that are held back take no more than the memory that is set, and who holds most is refused', async () => {
    await using lab = await ServedLab.start(engine, {
      messageMemory: 64 * megabyte,
      messageMemoryPerAddress: 48 * megabyte,
    });
    await withstands(lab, async (port, clients) => {
      const told: number[] = [];
      for (let count = 0; count < 6; count++) {
        const client = clients.use(await RawClient.login(port));
        await flood(client, full, 60_000, 15 * megabyte);
        void client.lastWords().then((tokens) => told.push(...errors(tokens)));
      }
      await until('two of six are refused', () => told.length >= 2);
      assert.ok(told.every((number) => number === 17803));
    });
  });

  test('a message that does not come whole in the set time ends its connection; a slow one that does is served', async () => {
    await using server = await startLab({ engine, settings: { messageTimeout: 3000 } });
    await using slow = await RawClient.login(server.port);
    await using never = await RawClient.login(server.port);
    never.write(full);
    const parts = [full.subarray(0, 100), full.subarray(100)];
    for (const part of parts) {
      slow.write(part);
      await delay(100);
    }
    slow.attention();
    await slow.tokens();
    const [error] = only(await never.lastWords(), 'error');
    assert.equal(error?.number, 4002);
    assert.match(error.text, /did not arrive completely within 3000 milliseconds/);
    await answers(slow);
  });
});
