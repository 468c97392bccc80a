import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { Client, ClientError } from '../../src/granary-client.ts';
import { ByteWriter } from '../../src/tds/byte-writer.ts';
import { encryption, writePrelogin } from '../../src/tds/message/prelogin.ts';
import { packetize, packetTypes } from '../../src/tds/packet/index.ts';
import { writeDone } from '../../src/tds/token/index.ts';
import { modern } from '../../src/tds/version.ts';
import { until } from '../robustness/support/until.ts';
import { bareServer } from './bare-server.ts';

/** A server that answers the n-th piece of what a client sends as it is told, and counts its open connections. */
async function listener(answer: (nth: number, socket: Socket) => void) {
  const server = await bareServer((socket) => {
    let nth = 0;
    socket.on('data', () => answer(nth++, socket));
  });
  return { ...server, options: { ...server.options, retry: { attempts: 1 } } };
}

const reply = (payload: Uint8Array) => packetize(payload, { type: packetTypes.reply, packetSize: 4096 });

function prelogin(answered: number): Buffer {
  const out = new ByteWriter();
  writePrelogin(out, { version: { major: 16, minor: 0, build: 0, subBuild: 0 }, encryption: answered });
  return reply(out.take());
}

const refuses = (text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ClientError, String(error));
  assert.deepEqual([error.code, error.sent], ['connect', false], error.message);
  assert.match(error.message, text);
  return true;
};

describe('a client and a server that cannot shake hands', () => {
  test('a PRELOGIN response that cannot be read is an error at once', { timeout: 120_000 }, async () => {
    for (const payload of [
      Buffer.alloc(0),
      Buffer.of(0, 0, 6),
      Buffer.of(0, 0, 200, 0, 50, 0xff),
      Buffer.alloc(70_000),
    ]) {
      await using server = await listener((_, socket) => socket.write(reply(payload)));
      for (const wanted of ['off', 'login', 'full'] as const) {
        await assert.rejects(
          Client.connect({ ...server.options, encryption: wanted }),
          refuses(/the server's answer cannot be read/),
        );
      }
    }
  });

  test('a server whose encryption does not suit keeps no connection', async () => {
    for (const [answered, wanted] of [
      [encryption.notSupported, 'full'],
      [encryption.required, 'off'],
    ] as const) {
      await using server = await listener((_, socket) => socket.write(prelogin(answered)));
      await assert.rejects(Client.connect({ ...server.options, encryption: wanted }), refuses(/encryption, which/));
      await until('the connection is closed', () => server.open.size === 0);
    }
  });

  test('a failed TLS handshake is told in words, and keeps no connection', async () => {
    const garbage = packetize(Buffer.alloc(5000, 0x55), { type: packetTypes.prelogin, packetSize: 4096 });
    for (const wanted of ['login', 'full', 'strict'] as const) {
      await using server = await listener((nth, socket) =>
        socket.write(nth === 0 && wanted !== 'strict' ? prelogin(encryption.on) : garbage),
      );
      await assert.rejects(
        Client.connect({ ...server.options, encryption: wanted }),
        refuses(/: the TLS handshake failed: [a-z ]+$/),
      );
      await until('the connection is closed', () => server.open.size === 0);
    }
  });

  test('a login that the server does not confirm is none', async () => {
    const out = new ByteWriter();
    writeDone(out, 'done', {}, modern);
    const done = reply(out.take());
    await using server = await listener((nth, socket) =>
      socket.write(nth === 0 ? prelogin(encryption.notSupported) : done),
    );
    await assert.rejects(
      Client.connect({ ...server.options, encryption: 'off' }),
      refuses(/did not say whether the login succeeded/),
    );
    await until('the connection is closed', () => server.open.size === 0);
  });
});
