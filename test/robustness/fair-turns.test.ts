import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { packetize, packetTypes } from '../../src/tds/packet/index.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { Innocent } from './support/innocent.ts';
import { loginAs, makeLogin } from './support/logins.ts';
import type { RawClient } from './support/raw-client.ts';
import { ServedLab } from './support/served-lab.ts';

const endless = 'declare @i int = 0 while 1 = 1 set @i = @i + 1';
const counting = 'declare @i int = 0 while @i < 30000 set @i = @i + 1';

/** How long a statement that needs the processor takes. */
async function timeOf(client: RawClient, text: string): Promise<number> {
  const began = performance.now();
  await client.batch(text);
  return performance.now() - began;
}

forEngineOfRun((engine) => {
  test('64 endless loops of one login leave others their turns', async (t) => {
    await using lab = await ServedLab.start(engine);
    await makeLogin(lab.port, 'low');
    await using client = await lab.connect();
    await timeOf(client, counting);
    const alone = await timeOf(client, counting);
    await using loops = new AsyncDisposableStack();
    for (let count = 0; count < 64; count++) {
      loops.use(await loginAs(lab.port, 'low', 'master')).sendBatch(endless);
    }
    await using innocent = await Innocent.start(lab.port);
    const beside = await timeOf(client, counting);
    const { median, longest, calls } = await innocent.experience();
    t.diagnostic(`a call: median ${median.toFixed(0)} ms, longest ${longest.toFixed(0)} ms of ${calls}`);
    t.diagnostic(`a loop: ${alone.toFixed(0)} ms alone, ${beside.toFixed(0)} ms beside 64 others`);
    // Two logins share the time; by session a call would wait for 64 turns, and the loop take 65 times as long.
    assert.ok(median < 400, `half of the innocent calls took more than ${median} ms`);
    assert.ok(beside < alone * 25 + 1000, `${beside} ms beside others, ${alone} ms alone`);
  });

  test('a flood of attentions of one login leaves others their turns', async (t) => {
    await using lab = await ServedLab.start(engine);
    await makeLogin(lab.port, 'low');
    const attention = packetize(Buffer.alloc(0), { type: packetTypes.attention, packetSize: 4096 });
    const block = Buffer.concat(Array.from({ length: 4096 }, () => attention));
    await using innocent = await Innocent.start(lab.port);
    await using floods = new AsyncDisposableStack();
    const end = performance.now() + 1000;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const client = floods.use(await loginAs(lab.port, 'low', 'master'));
        while (performance.now() < end && !client.socket.destroyed) {
          if (client.socket.write(block)) continue;
          const wait = new AbortController();
          const { signal } = wait;
          await Promise.race([once(client.socket, 'drain', { signal }), delay(100, undefined, { signal })]);
          wait.abort();
        }
      }),
    );
    const { median, longest, calls } = await innocent.experience();
    t.diagnostic(`a call: median ${median.toFixed(0)} ms, longest ${longest.toFixed(0)} ms of ${calls}`);
    assert.ok(median < 1000, `half of the innocent calls took more than ${median} ms`);
    assert.ok(longest < 15_000, `an innocent call took ${longest} ms`);
  });
});
