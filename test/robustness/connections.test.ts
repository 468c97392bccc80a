import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { nvarchar } from '../../src/tds/types/index.ts';
import { answers, nobodyIsLeft, servesOn, startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { ServedLab } from './support/served-lab.ts';
import { errors, only, rows } from './support/tokens.ts';
import { until } from './support/until.ts';

/** Runs work so many times, a bounded number at once. */
async function repeat(times: number, atOnce: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < times) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

describe('many connections', () => {
  test('2,000 connections are opened, used and closed, and none is left', async () => {
    await using server = await startLab();
    const spids = new Set<number>();
    await repeat(2000, 32, async (index) => {
      await using client = await RawClient.login(server.port);
      const text = `client ${index}`;
      client.sendRpc([{ procedure: 'lab_Echo', params: [{ type: nvarchar('max'), value: text }] }]);
      const packet = await client.packet();
      assert.ok(packet);
      assert.ok(packet.payload.includes(Buffer.from(text, 'utf16le')));
      spids.add(packet.spid);
    });
    assert.ok(spids.size > 1000, 'sessions have numbers of their own');
    await nobodyIsLeft(server);
    await servesOn(server);
  });

  test('a thousand idle connections are all served, and gone when they leave', async (t: TestContext) => {
    await using lab = await ServedLab.start('sqlite');
    await using warm = await lab.connect();
    await answers(warm);
    const before = await lab.health();
    await using idle = new AsyncDisposableStack();
    const clients: RawClient[] = [];
    await repeat(1000, 32, async () => {
      const client = idle.use(await RawClient.login(lab.port));
      await answers(client);
      clients.push(client);
    });
    const during = await lab.health();
    assert.equal(during.connections, 1001);
    t.diagnostic(`a thousand connections took ${((during.memory - before.memory) / 1024 ** 2).toFixed(1)} MB`);
    await answers(warm);
    for (const client of clients.slice(0, 50)) await answers(client);
    await idle.disposeAsync();
    await until('all have left', async () => (await lab.health()).connections === 1);
  });

  test('MS-TDS 2.2.3.1.4: every packet of an answer carries the number of its session, as @@SPID tells it', async () => {
    await using server = await startLab();
    await using first = await RawClient.login(server.port);
    await using second = await RawClient.login(server.port);
    const seen: number[] = [];
    for (const client of [first, second]) {
      const tokens = await client.rpc('sp_executesql', [{ type: nvarchar('max'), value: 'select @@spid as spid' }]);
      assert.deepEqual(errors(tokens), []);
      const spid = Number(rows(tokens)[0]?.[0]);
      client.sendRpc([{ procedure: 'lab_Echo', params: [{ type: nvarchar('max'), value: 'x'.repeat(10_000) }] }]);
      for (let packet = await client.packet(); packet; packet = await client.packet()) {
        assert.equal(packet.spid, spid);
        if (packet.status & 1) break;
      }
      seen.push(spid);
    }
    assert.notEqual(seen[0], seen[1]);
    assert.ok(seen.every((spid) => spid > 50));
  });

  test('sessions that do the same at once do not see each other', async () => {
    await using server = await startLab();
    await repeat(20, 20, async (index) => {
      await using client = await RawClient.login(server.port);
      for (let call = 0; call < 50; call++) {
        const text = `session ${index}, call ${call}`;
        const tokens = await client.rpc('lab_Echo', [{ type: nvarchar('max'), value: text }]);
        assert.deepEqual(only(tokens, 'row')[0]?.values, [text]);
      }
    });
  });
});
