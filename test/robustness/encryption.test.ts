import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { describe, type TestContext, test } from 'node:test';
import { encryption } from '../../src/tds/message/prelogin.ts';
import { nvarchar } from '../../src/tds/types/index.ts';
import { tdsVersions } from '../../src/tds/version.ts';
import { TestClient } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';
import { arrival, open } from './support/gate.ts';
import { answers, certificateOf, nobodyIsLeft, startLab } from './support/lab-server.ts';
import { RawClient } from './support/raw-client.ts';
import { errors } from './support/tokens.ts';

const { on, notSupported, required } = encryption;

/** A login over a connection without TLS, with or without PRELOGIN: the numbers of its errors. */
async function plainLogin(server: TestServer, host?: string): Promise<{ answer: unknown; numbers: number[] }> {
  await using client = await RawClient.connect(server.port, host);
  const { encryption: answer } = await client.prelogin();
  const numbers = errors(await client.logIn());
  await using bare = await RawClient.connect(server.port, host);
  assert.deepEqual(errors(await bare.logIn()), numbers, 'LOGIN7 as the first message is treated alike');
  return { answer, numbers };
}

describe('MS-TDS 2.2.6.5: encryption as a setting', () => {
  test('auto: on loopback a client may come without TLS, 127.0.0.2 included', async () => {
    await using server = await startLab({ settings: { host: '0.0.0.0' } });
    assert.deepEqual(await plainLogin(server), { answer: notSupported, numbers: [] });
    assert.deepEqual(await plainLogin(server, '127.0.0.2'), { answer: notSupported, numbers: [] });
    await using client = await server.connect('Lab', { encrypt: true });
    assert.equal((await client.rpc('sp_databases')).status, 0);
  });

  test('auto: from another address a login without TLS is 17835, and one with TLS is let in', async (t: TestContext) => {
    const address = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4')?.address;
    if (address === undefined) return t.skip('this machine has loopback addresses only');
    await using server = await startLab({ settings: { host: '0.0.0.0' } });
    assert.deepEqual(await plainLogin(server, address), { answer: required, numbers: [17835] });
    const connection = { ...server.config('Lab', { encrypt: true }), server: address };
    await using client = await TestClient.open(connection);
    assert.equal((await client.rpc('sp_databases')).status, 0);
  });

  test('required: a login without TLS is 17835 on loopback too', async () => {
    await using server = await startLab({ settings: { encryption: 'required' } });
    assert.deepEqual(await plainLogin(server), { answer: required, numbers: [17835] });
    await assert.rejects(server.connect('Lab', { encrypt: false }), /requires encryption/);
    await using client = await server.connect('Lab', { encrypt: true });
    assert.equal((await client.rpc('sp_databases')).status, 0);
  });

  test('within TLS a packet is no larger than a record, as in SQL Server, whatever the client asks for', async () => {
    await using server = await startLab();
    for (const [encrypt, packetSize] of [
      [true, 16_383],
      [false, 32_767],
    ] as const) {
      await using client = await server.connect('Lab', { encrypt, packetSize: 32_767 });
      const [row] =
        (await client.batch('select net_packet_size as size from sys.dm_exec_connections where session_id = @@spid'))
          .sets[0] ?? [];
      assert.equal(row?.['size'], packetSize);
    }
  });

  test('optional: both are let in', async () => {
    await using server = await startLab({ settings: { encryption: 'optional' } });
    assert.deepEqual(await plainLogin(server), { answer: notSupported, numbers: [] });
    await using client = await server.connect('Lab', { encrypt: true });
    assert.equal((await client.rpc('sp_databases')).status, 0);
  });

  test('off: TLS is not offered', async () => {
    await using server = await startLab({ settings: { encryption: 'off' } });
    assert.deepEqual(await plainLogin(server), { answer: notSupported, numbers: [] });
    await using client = await RawClient.connect(server.port);
    assert.equal((await client.prelogin({ encryption: on })).encryption, notSupported);
    await assert.rejects(server.connect('Lab', { encrypt: true }), /did not negotiate encryption/);
  });

  test('a client that asks for a login with TLS and then sends it in the clear is not let in', async () => {
    await using server = await startLab();
    await using client = await RawClient.connect(server.port);
    assert.equal((await client.prelogin({ encryption: on })).encryption, on);
    await assert.rejects(client.logIn(), /closed before its answer/);
    await nobodyIsLeft(server);
  });

  test('TDS 8: TLS comes before PRELOGIN', async () => {
    await using server = await startLab({ settings: { encryption: 'required' } });
    await using client = await RawClient.strict(server.port, await certificateOf(server));
    await client.prelogin();
    assert.deepEqual(errors(await client.logIn({ tdsVersion: tdsVersions['8.0'] })), []);
    await answers(client);
  });

  test('TDS 8: a client that speaks no tds/8.0 or no TLS at all behind the first byte is closed', async () => {
    await using server = await startLab();
    await using client = await RawClient.connect(server.port);
    client.write(Buffer.concat([Buffer.of(0x16), Buffer.alloc(500, 0x41)]));
    assert.equal(await client.payload().catch(() => undefined), undefined);
    await nobodyIsLeft(server);
  });

  for (const way of ['without TLS', 'with TLS'] as const) {
    test(`a client ${way} that sends without reading is slowed down, and what it sent is answered in order`, async () => {
      await using server = await startLab();
      const client =
        way === 'with TLS'
          ? await RawClient.strict(server.port, await certificateOf(server))
          : await RawClient.connect(server.port);
      await using _ = client;
      await client.prelogin();
      await client.logIn(way === 'with TLS' ? { tdsVersion: tdsVersions['8.0'] } : {});
      const gate = randomUUID();
      client.sendRpc([{ procedure: 'lab_Wait', params: [{ type: nvarchar(50), value: gate }] }]);
      await arrival(gate);
      const text = 'x'.repeat(512 * 1024);
      const count = 48;
      for (let sent = 0; sent < count; sent++) {
        client.sendRpc([{ procedure: 'lab_Echo', params: [{ type: nvarchar('max'), value: text }] }]);
      }
      await using other = await RawClient.login(server.port);
      // So many turns that a server which read on would have read it all.
      for (let turn = 0; turn < 200; turn++) await answers(other);
      assert.ok(client.socket.writableLength > 24 * 1024 * 1024, `${client.socket.writableLength} bytes are held back`);
      open(gate);
      await client.tokens();
      for (let received = 0; received < count; received++) assert.deepEqual(errors(await client.tokens()), []);
    });
  }
});
