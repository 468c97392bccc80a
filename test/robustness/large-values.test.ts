import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { int, nvarchar, varbinary } from '../../src/tds/types/index.ts';
import { answers } from './support/lab-server.ts';
import { ServedLab } from './support/served-lab.ts';
import { call, flat, megabyte, swallow, veryManyRows, warmUp } from './support/streaming.ts';
import { errors, only, rows } from './support/tokens.ts';

describe('values that stream', () => {
  let lab: ServedLab;
  before(async () => {
    lab = await ServedLab.start('sqlite');
    await warmUp(lab);
  });
  after(() => lab[Symbol.asyncDispose]());

  for (const [tls, way] of [
    [false, 'without TLS'],
    [true, 'with TLS'],
  ] as const) {
    test(`a value of 200 MB is sent ${way} with memory flat, and others are served meanwhile`, async () => {
      await using client = await lab.connect({ tls, packetSize: 32_767 });
      await using other = await lab.connect();
      await flat(lab, async () => {
        client.sendRpc(call('lab_Image', 200));
        const read = swallow(client);
        for (let turn = 0; turn < 20; turn++) await answers(other);
        assert.ok((await read) > 200 * megabyte);
      });
      await answers(client);
    });

    test(`a value of 200 MB that nobody reads ${way} waits with memory flat`, async () => {
      await using client = await lab.connect({ tls });
      await using other = await lab.connect();
      await flat(lab, async () => {
        client.socket.pause();
        client.sendRpc(call('lab_Image', 200));
        for (let turn = 0; turn < 300; turn++) await answers(other);
      });
    });
  }

  test('a value of 200 MB that is cancelled ends with memory flat, and the session goes on', async () => {
    await using client = await lab.connect({ packetSize: 32_767 });
    await flat(lab, async () => {
      client.sendRpc(call('lab_Image', 200));
      for (let packet = 0; packet < 100; packet++) await client.packet();
      client.attention();
      await swallow(client);
      await swallow(client);
    });
    await answers(client);
  });

  test('a row of many large values is sent with memory flat, and others are served meanwhile', async () => {
    await using client = await lab.connect({ packetSize: 32_767 });
    await using other = await lab.connect();
    const value = `declare @x nvarchar(max) = replicate(cast(N'x' as nvarchar(max)), 16000000)`;
    await flat(lab, async () => {
      client.sendBatch(`${value} select ${Array.from({ length: 12 }, () => '@x').join()}`);
      const read = swallow(client);
      for (let turn = 0; turn < 20; turn++) await answers(other);
      assert.ok((await read) > 12 * 32_000_000);
    });
    await answers(client);
  });

  test('a value that fails half-way is filled up, and its error follows', async () => {
    await using client = await lab.connect({ packetSize: 32_767 });
    const tokens = await client.rpc('lab_Image', [
      { name: '@Megabytes', type: int, value: 5 },
      { name: '@FailAfter', type: int, value: 2 },
    ]);
    assert.deepEqual(errors(tokens), [50000]);
    const body = only(tokens, 'row')[0]?.values[0];
    assert.ok(body instanceof Uint8Array);
    assert.deepEqual([body.length, body[2 * megabyte - 1], body[2 * megabyte]], [5 * megabyte, 0xab, 0]);
    await answers(client);
  });

  test('bytes that T-SQL keeps outlive the message that brought them', async () => {
    await using client = await lab.connect();
    assert.deepEqual(errors(await client.batch('create table #kept (id int, bytes varbinary(max))')), []);
    const sent = [1, 2, 3].map((id) => Buffer.alloc(megabyte, id));
    for (const [index, bytes] of sent.entries()) {
      const insert = await client.rpc('sp_executesql', [
        { type: nvarchar('max'), value: 'insert #kept values (@id, @bytes)' },
        { type: nvarchar('max'), value: '@id int, @bytes varbinary(max)' },
        { type: int, value: index },
        { type: varbinary('max'), value: bytes },
      ]);
      assert.deepEqual(errors(insert), []);
      await answers(client);
    }
    const kept = rows(await client.batch('select bytes from #kept order by id')).map(([bytes]) => bytes);
    assert.deepEqual(kept, sent);
  });

  test('hundreds of thousands of rows of a generator do not sit in memory', async () => {
    await using other = await lab.connect();
    await veryManyRows(lab, 'lab_Generate', () => answers(other));
  });
});
