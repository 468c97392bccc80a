import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { silentLog } from '../base/log/log.ts';
import { HttpListener } from './http-listener.ts';
import { json } from './route.ts';

test('a request that does not come whole in ten seconds ends its connection, looked at every second', (t) => {
  const made = t.mock.method(http, 'createServer');
  new HttpListener({ host: '127.0.0.1', port: 0, longHeaders: false, routes: [], token: '', log: silentLog });
  // To wait for it would take as long as that.
  const [server] = made.mock.calls.map(({ result }) => result);
  assert.equal(server?.requestTimeout, 10_000);
  assert.equal(server.headersTimeout, 10_000);
  assert.deepEqual(Object(made.mock.calls[0]?.arguments[0]).connectionsCheckingInterval, 1_000);
});

const busy = (milliseconds: number) => {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
};

test('requests of strangers, however many are sent ahead, let others have their turn before each of them', async () => {
  let answered = 0;
  const answer = async () => {
    busy(2);
    return json(200, { answered: ++answered });
  };
  const slow = { path: '/slow', access: 'open' as const, answer };
  await using listener = new HttpListener({
    ...{ host: '127.0.0.1', port: 0, longHeaders: false, token: '', log: silentLog },
    routes: [slow],
  });
  await listener.start();
  const sockets = Array.from({ length: 8 }, () => connect(listener.port, '127.0.0.1'));
  for (const socket of sockets) {
    socket.resume();
    socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(8));
  }
  let most = 0;
  for (let before = 0; answered < 64; before = answered) {
    await new Promise(setImmediate);
    most = Math.max(most, answered - before);
  }
  for (const socket of sockets) socket.destroy();
  assert.ok(most <= 2, `${most} were answered in one round of the event loop`);
});

test('an address that is longer than any of the server is not looked into: 414', async () => {
  await using listener = new HttpListener({
    ...{ host: '127.0.0.1', port: 0, longHeaders: false, token: '', log: silentLog },
    routes: [],
  });
  await listener.start();
  const asking = http.get({ host: '127.0.0.1', port: listener.port, path: `/?${'a&'.repeat(5000)}`, agent: false });
  const [response] = await once(asking, 'response');
  response.resume();
  assert.equal(response.statusCode, 414);
});
