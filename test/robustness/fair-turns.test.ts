import assert from 'node:assert/strict';
import { test } from 'node:test';
import { share } from '../../src/base/threads/rota.ts';
import { parsing } from '../../src/net/socket-input.ts';
import { writeSqlBatch } from '../../src/tds/message/index.ts';
import { packetize, packetTypes } from '../../src/tds/packet/index.ts';
import { modern } from '../../src/tds/version.ts';
import { written } from '../fuzz/targets/wire.ts';
import { forEngineOfRun } from '../support/long-run.ts';
import { roundsOf } from '../support/rounds-of.ts';
import { Innocent } from './support/innocent.ts';
import { startLab } from './support/lab-server.ts';
import { loginAs, makeLogin } from './support/logins.ts';
import { RawClient } from './support/raw-client.ts';
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
    // Two logins share the time; by session a call would wait for 64 turns, and the loop take 65 times as long.
    const most = alone * 25 + 1000;
    let beside = await timeOf(client, counting);
    // Not because the machine stood still.
    for (let again = 0; again < 3 && beside >= most; again++) beside = await timeOf(client, counting);
    const { median, longest, calls } = await innocent.experience();
    t.diagnostic(`a call: median ${median.toFixed(0)} ms, longest ${longest.toFixed(0)} ms of ${calls}`);
    t.diagnostic(`a loop: ${alone.toFixed(0)} ms alone, ${beside.toFixed(0)} ms beside 64 others`);
    assert.ok(median < 400, `half of the innocent calls took more than ${median} ms`);
    assert.ok(beside < most, `${beside} ms beside others, ${alone} ms alone`);
  });
});

test('who sends requests or attentions ahead of the answers leaves others a turn whenever its share of a round is used up', async (t) => {
  await using server = await startLab();
  const usual = share.quota;
  t.after(() => {
    share.quota = usual;
  });
  const count = 500;
  const attention = packetize(Buffer.alloc(0), { type: packetTypes.attention, packetSize: 4096 });
  const request = packetize(
    written((out) => writeSqlBatch(out, 'select 1', modern)),
    { type: packetTypes.sqlBatch, packetSize: 4096 },
  );
  for (const [what, message] of Object.entries({ attention, request })) {
    await using client = await RawClient.login(server.port);
    const flood = async () => {
      client.socket.write(Buffer.concat(Array.from({ length: count }, () => message)));
      for (let answered = 0; answered < count; answered++) assert.ok(await client.packet());
    };
    share.quota = 0;
    const shared = await roundsOf(flood);
    assert.ok(shared >= count * 0.9, `${shared} rounds for ${count} times ${what}`);
  }
});

test('what clients send is parsed in turns, however tiny the packets are', async (t) => {
  await using server = await startLab();
  const usual = parsing.quota;
  t.after(() => {
    parsing.quota = usual;
  });
  const text = `select 1 -- ${'x'.repeat(50_000)}`;
  const request = packetize(
    written((out) => writeSqlBatch(out, text, modern)),
    { type: packetTypes.sqlBatch, packetSize: 9 },
  );
  await using client = await RawClient.login(server.port);
  const flood = async () => {
    client.write(request);
    assert.ok(await client.packet());
  };
  parsing.quota = 0;
  // The system hands over at most 64 KB at a time, and up to 32 times of it in a row.
  const rounds = await roundsOf(flood);
  const chunks = request.length / (64 * 1024);
  assert.ok(rounds >= chunks, `${rounds} rounds for ${chunks.toFixed(0)} chunks`);
});
