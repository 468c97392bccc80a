import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { packetize, packetTypes } from '../../src/tds/packet/index.ts';
import { nvarchar } from '../../src/tds/types/index.ts';
import type { TestServer } from '../support/server.ts';
import { answers, nobodyIsLeft, servesOn, startLab } from './support/lab-server.ts';
import { loginPayload, preloginPayload, RawClient, rpcPayload } from './support/raw-client.ts';
import { ending, errors, only } from './support/tokens.ts';

/** A header as MS-TDS 2.2.3.1 lays it out, true or not. */
const header = (type: number, length: number, status = 1): Buffer =>
  Buffer.of(type, status, length >>> 8, length & 0xff, 0, 0, 1, 0);

describe('MS-TDS 2.2.3: packets that are none', () => {
  let server: TestServer;
  before(async () => {
    server = await startLab({ settings: { maxMessageSize: 1024 * 1024 } });
  });
  after(() => server[Symbol.asyncDispose]());

  /** What is wrong, the bytes, and what the error says. */
  const wrong: [string, Buffer, RegExp][] = [
    ['an unknown type', Buffer.concat([header(0x2a, 12), Buffer.alloc(4)]), /type 0x2a is unknown/],
    ['a length below that of a header', header(packetTypes.sqlBatch, 7), /7 bytes is shorter than its header/],
    ['a length of 0', header(packetTypes.prelogin, 0), /0 bytes is shorter than its header/],
    ['a length over 32767', header(packetTypes.rpc, 40_000), /40000 bytes is over the limit/],
    [
      'an SMP packet ([MC-SMP] 2.2.1)',
      Buffer.from('53010000100000000000000004000000', 'hex'),
      /multiple active result/,
    ],
  ];

  for (const [what, bytes, message] of wrong) {
    for (const stage of ['before', 'after'] as const) {
      test(`MS-TDS 2.2.3.1: ${what} ${stage} the login is error 4002, and the connection ends`, async () => {
        await using client =
          stage === 'before' ? await RawClient.connect(server.port) : await RawClient.login(server.port);
        client.write(bytes);
        const tokens = await client.lastWords();
        const [error] = only(tokens, 'error');
        assert.equal(error?.number, 4002);
        assert.equal(error.severity, 20);
        assert.match(error.text, message);
        assert.equal(ending(tokens), 'done 2');
        await servesOn(server);
      });
    }
  }

  test('MS-TDS 2.2.3.1.1: a packet of another type within a message is error 4002', async () => {
    await using client = await RawClient.login(server.port);
    client.write(Buffer.concat([header(packetTypes.rpc, 10, 0), Buffer.alloc(2)]));
    client.write(Buffer.concat([header(packetTypes.sqlBatch, 10, 1), Buffer.alloc(2)]));
    assert.deepEqual(errors(await client.lastWords()), [4002]);
    await servesOn(server);
  });

  test('a message over the limit of the server is error 4002, even while it is still being sent', async () => {
    await using client = await RawClient.login(server.port);
    client.write(packetize(Buffer.alloc(4 * 1024 * 1024), { type: packetTypes.rpc, packetSize: 4096 }));
    const [error] = only(await client.lastWords(), 'error');
    assert.equal(error?.number, 4002);
    assert.match(error.text, /over the limit of 1048576 bytes/);
    await servesOn(server);
  });

  test('before its login a client may not send a long message', async () => {
    await using client = await RawClient.connect(server.port);
    client.write(packetize(Buffer.alloc(200_000), { type: packetTypes.login7, packetSize: 4096 }));
    const [error] = only(await client.lastWords(), 'error');
    assert.match(error?.text ?? '', /over the limit of 131072 bytes/);
  });

  test('an endless PRELOGIN is cut off at the same limit', async () => {
    await using client = await RawClient.connect(server.port);
    const packet = Buffer.concat([header(packetTypes.prelogin, 4096, 0), Buffer.alloc(4088)]);
    for (let sent = 0; sent < 40; sent++) client.write(packet);
    assert.deepEqual(errors(await client.lastWords()), [4002]);
  });

  test('messages of a type that has no meaning after the login are refused and the session goes on', async () => {
    await using client = await RawClient.login(server.port);
    for (const type of [packetTypes.prelogin, packetTypes.login7, packetTypes.sspi, packetTypes.federatedToken]) {
      client.send(type, preloginPayload());
      const tokens = await client.tokens();
      assert.deepEqual(errors(tokens), [50000]);
      assert.equal(ending(tokens), 'done 2');
    }
    await answers(client);
  });

  test('a request before the login is refused with 17832', async () => {
    await using client = await RawClient.connect(server.port);
    await client.prelogin();
    client.send(packetTypes.rpc, rpcPayload([{ procedure: 'lab_Echo', params: [{ type: nvarchar(1), value: 'x' }] }]));
    assert.deepEqual(errors(await client.lastWords()), [17832]);
  });

  test('bytes sent in the clear where TLS was to begin are never taken for bytes of TLS', async () => {
    await using client = await RawClient.connect(server.port);
    const options = { packetSize: 4096 };
    client.write(
      Buffer.concat([
        packetize(preloginPayload({ encryption: 1 }), { type: packetTypes.prelogin, ...options }),
        packetize(loginPayload(), { type: packetTypes.login7, ...options }),
      ]),
    );
    await client.payload(); // the answer to PRELOGIN
    const tokens = await client.lastWords();
    assert.deepEqual(errors(tokens), [4002]);
    assert.deepEqual(only(tokens, 'loginAck'), []);
  });

  test('after all of this nobody is left connected', async () => {
    await nobodyIsLeft(server);
  });
});
