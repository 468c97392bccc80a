import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { Handshakes } from '../../src/net/handshakes.ts';
import type { TestServer } from '../support/server.ts';
import { servesOn, startLab } from './support/lab-server.ts';

/** Shakes hands as TDS 8 does. */
function shakeHands(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      { port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['tds/8.0'], ...options },
      () => resolve(socket),
    );
    socket.on('error', reject);
  });
}

async function agreed(server: TestServer, options: ConnectionOptions): Promise<string> {
  const socket = await shakeHands(server.port, options);
  const { name } = socket.getCipher();
  const version = socket.getProtocol();
  socket.destroy();
  return `${version} ${name}`;
}

const only12 = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const;

test('only suites with forward secrecy and authenticated encryption are agreed on', async () => {
  await using server = await startLab();
  for (const ciphers of ['AES128-GCM-SHA256', 'AES256-SHA', 'ECDHE-RSA-AES128-SHA', 'ECDHE-RSA-AES256-SHA384']) {
    await assert.rejects(shakeHands(server.port, { ...only12, ciphers }), ciphers);
  }
  assert.match(await agreed(server, only12), /^TLSv1\.2 ECDHE-RSA-(AES\d+-GCM|CHACHA20)/);
  assert.match(await agreed(server, {}), /^TLSv1\.3 TLS_/);
  await using encrypted = await server.connect('Lab', { encrypt: true });
  assert.equal((await encrypted.rpc('sp_databases')).status, 0);
});

test('the lowest version is a setting: 1.0 lets old clients in, 1.3 none of 1.2', async () => {
  const ancient = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'AES256-SHA:@SECLEVEL=0' } as const;
  for (const [tlsMinVersion, isLetIn] of [
    ['1.2', false],
    ['1.1', false],
    ['1.0', true],
  ] as const) {
    await using server = await startLab({ settings: { tlsMinVersion } });
    const config = server.config('Lab', { encrypt: true, cryptoCredentialsDetails: ancient });
    const connecting = server.connect('Lab', config.options);
    if (isLetIn) assert.equal((await (await connecting).rpc('sp_databases')).status, 0);
    else await assert.rejects(connecting, /socket hang up|ECONNRESET/);
  }
  await using newest = await startLab({ settings: { tlsMinVersion: '1.3' } });
  await assert.rejects(shakeHands(newest.port, only12), /alert protocol version/);
  assert.match(await agreed(newest, {}), /^TLSv1\.3/);
});

test('the HTTP listener agrees on the same suites and versions', async () => {
  await using server = await startLab({ settings: { httpHost: '0.0.0.0', httpPort: 0, tlsMinVersion: '1.0' } });
  const port = Number(server.granary.httpAddress?.split(':')[1]);
  const http = { ALPNProtocols: ['http/1.1'] };
  for (const ciphers of ['AES128-GCM-SHA256', 'AES256-SHA', 'ECDHE-RSA-AES128-SHA']) {
    await assert.rejects(shakeHands(port, { ...http, ...only12, ciphers }), ciphers);
  }
  (await shakeHands(port, { ...http, ...only12 })).destroy();
  await using newest = await startLab({ settings: { httpHost: '0.0.0.0', httpPort: 0, tlsMinVersion: '1.3' } });
  const newer = Number(newest.granary.httpAddress?.split(':')[1]);
  await assert.rejects(shakeHands(newer, { ...http, ...only12 }), /alert protocol version/);
});

test('a client cannot repeat the TLS handshake', async () => {
  await using server = await startLab();
  const socket = await shakeHands(server.port, only12);
  const refused = new Promise<unknown>((resolve) => {
    socket.on('error', resolve);
    socket.on('close', resolve);
    socket.renegotiate({ rejectUnauthorized: false }, (error) => resolve(error ?? undefined));
    setTimeout(() => resolve('unanswered'), 2000).unref();
  });
  assert.notEqual(await refused, undefined, 'the handshake was repeated');
  socket.destroy();
  await servesOn(server);
});

test('every step of a handshake waits for its turn, of TDS 8 and of one inside PRELOGIN', async (t) => {
  const step = t.mock.method(Handshakes.prototype, 'step');
  await using server = await startLab();
  (await shakeHands(server.port)).destroy();
  const first = step.mock.callCount();
  assert.ok(first > 0, 'TDS 8');
  await using encrypted = await server.connect('Lab', { encrypt: true });
  assert.equal((await encrypted.rpc('sp_databases')).status, 0);
  assert.ok(step.mock.callCount() > first, 'inside PRELOGIN');
});

test('the certificate that clients get is the one they can check by', async () => {
  await using server = await startLab();
  const ca = await readFile(server.granary.settings.tlsCert ?? '', 'utf8');
  const socket = await shakeHands(server.port, { ca, rejectUnauthorized: true, servername: 'localhost' });
  assert.ok(socket.authorized);
  socket.destroy();
});
