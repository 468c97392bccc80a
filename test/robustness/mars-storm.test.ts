import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { nvarchar } from '../../src/tds/types/index.ts';
import { tdsVersions } from '../../src/tds/version.ts';
import { isLongRun } from '../support/long-run.ts';
import { certificateOf, nobodyIsLeft, startLab } from './support/lab-server.ts';
import { MarsClient, type MarsSession } from './support/mars-client.ts';
import { RawClient } from './support/raw-client.ts';
import { call } from './support/streaming.ts';
import { only, rows } from './support/tokens.ts';
import { until } from './support/until.ts';

/** Rounds of eight requests at once; each takes some milliseconds. */
const rounds = Number(process.env['GRANARY_TEST_MARS_ROUNDS'] ?? 100);
const seed = Number(process.env['GRANARY_TEST_SEED'] ?? Date.now() % 1_000_000);

/** Numbers below a bound, the same for the same seed. */
function dice(start: number): (bound: number) => number {
  let state = start >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Hands bytes on in pieces that nobody chose, some of them late. */
async function shuffling(
  target: number,
  below: (bound: number) => number,
): Promise<AsyncDisposable & { port: number }> {
  const hand = (from: Socket, to: Socket) => {
    let order = Promise.resolve();
    from.on('data', (chunk: Buffer) => {
      order = order.then(async () => {
        for (let at = 0; at < chunk.length; ) {
          const end = at + 1 + below(below(4) === 0 ? 20 : 20_000);
          if (!to.destroyed) to.write(chunk.subarray(at, end));
          at = end;
          if (below(3) === 0) await new Promise(setImmediate);
          if (below(200) === 0) await delay(below(5));
        }
      });
    });
    from.on('error', () => to.destroy());
    from.on('close', () => void order.then(() => to.destroy()));
  };
  const proxy = createServer({ noDelay: true }, (client) => {
    const server = connect({ port: target, host: '127.0.0.1', noDelay: true });
    hand(client, server);
    hand(server, client);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: () => new Promise((done) => proxy.close(() => done())) };
}

/** Acknowledges by and by, with windows of all sizes, until the answer is whole. */
async function readSlowly(
  session: MarsSession,
  below: (bound: number) => number,
): Promise<readonly (readonly unknown[])[]> {
  session.acknowledges = false;
  const answer = session.tokens();
  let isWhole = false;
  const over = answer.then(() => {
    isWhole = true;
  });
  for (let seen = -1; !isWhole; ) {
    if (session.received !== seen) {
      seen = session.received;
      session.acknowledge(1 + below(4));
    }
    await Promise.race([over, delay(below(3))]);
  }
  session.acknowledges = true;
  session.acknowledge();
  return rows(await answer);
}

/** Reads up to the answer to an attention. */
async function untilCancelled(session: MarsSession): Promise<void> {
  while (!only(await session.tokens(), 'done').some(({ status }) => (status & 0x20) !== 0));
}

/** What one session may do. */
const doings: ((session: MarsSession, below: (bound: number) => number) => Promise<void>)[] = [
  async (session, below) => {
    const number = below(1_000_000);
    assert.deepEqual(rows(await session.batch(`select ${number}`)), [[number]]);
  },
  async (session, below) => {
    const count = 1 + below(800);
    await session.sendRpc(call('lab_Generate', count));
    assert.equal((await readSlowly(session, below)).length, count);
  },
  async (session, below) => {
    const value = 'grain '.repeat(1 + below(8000));
    await session.sendRpc([{ procedure: 'lab_Echo', params: [{ type: nvarchar('max'), value }] }]);
    assert.deepEqual(rows(await session.tokens()), [[value]]);
  },
  async (session, below) => {
    await session.sendRpc(call('lab_Generate', 1 + below(3000)));
    await delay(below(4));
    await session.attention();
    await untilCancelled(session);
  },
  async (session) => {
    await session.sendBatch("waitfor delay '00:10:00'");
    await session.attention();
    await untilCancelled(session);
  },
];

describe('[MC-SMP]: many sessions in a storm of pieces, late acknowledgements and cancels', {
  skip: !isLongRun,
}, () => {
  test(`no packet is out of order or beyond a window, and nothing closes the connection (seed ${seed})`, async () => {
    const below = dice(seed);
    await using server = await startLab();
    await using proxy = await shuffling(server.port, below);
    const ca = await certificateOf(server);
    for (let round = 0; round < rounds; ) {
      await using client = await MarsClient.on(await RawClient.strict(proxy.port, ca), {
        tdsVersion: tdsVersions['8.0'],
      });
      for (const last = round + 25; round < last; round++) {
        const all = Array.from({ length: 8 }, async (_, at) => {
          const session = client.open(round * 8 + at);
          for (let times = below(3); times >= 0; times--) await doings[below(doings.length)]?.(session, below);
          if (below(4) === 0) await session.sendRpc(call('lab_Generate', 2000));
          session.finish();
          await until('the session is over', () => session.isFinished || client.isClosed);
        });
        await Promise.all(all);
        assert.equal(client.isClosed, false, `round ${round}`);
      }
    }
    await nobodyIsLeft(server);
  });
});
