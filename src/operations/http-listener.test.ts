import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { silentLog } from '../base/log.ts';
import { HttpListener } from './http-listener.ts';

test('a request that does not come whole in ten seconds ends its connection, looked at every second', (t) => {
  const made = t.mock.method(http, 'createServer');
  new HttpListener({ host: '127.0.0.1', port: 0, longHeaders: false, routes: [], token: '', log: silentLog });
  // To wait for it would take as long as that.
  const [server] = made.mock.calls.map(({ result }) => result);
  assert.equal(server?.requestTimeout, 10_000);
  assert.equal(server.headersTimeout, 10_000);
  assert.deepEqual(Object(made.mock.calls[0]?.arguments[0]).connectionsCheckingInterval, 1_000);
});
