import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { until } from '../../test/robustness/support/until.ts';
import { HttpCrowd } from './http-crowd.ts';

/** A listener that is minded, and how clients come to it. */
async function minded(answer: RequestListener, patience?: number) {
  const server = createServer(answer);
  new HttpCrowd(server, patience);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // an address of TCP is never a text
  const clients: Socket[] = [];
  return {
    async send(text: string, localAddress = '127.0.0.1'): Promise<Socket> {
      const client = connect({ port, host: '127.0.0.1', localAddress });
      client.on('error', () => {}); // a reset is what it is here for
      clients.push(client);
      await once(client, 'connect');
      const heard = once(server, 'request');
      client.write(text);
      await heard;
      return client;
    },
    connections: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}

const post = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n';
const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

test('requests that never come whole are 512 at once at most, and who comes from elsewhere keeps its place', async () => {
  await using listener = await minded((request) => void request.resume());
  const other = await listener.send(post, '127.0.0.2');
  for (let count = 0; count < 600; count++) await listener.send(post);
  await until('the others are gone', async () => (await listener.connections()) <= 512);
  assert.equal(other.destroyed, false);
});

test('a client that leaves its answer unread is cut off, one that takes it and one that waits for it are not', async () => {
  const long = Buffer.alloc(64 * 1024 * 1024);
  await using listener = await minded((request, response) => {
    if (request.url === '/') response.end(long);
  }, 300);
  const waiting = await listener.send(get.replace('/', '/later'));
  const reading = await listener.send(get);
  const stalled = await listener.send(get);
  stalled.pause();
  let taken = 0;
  reading.on('data', (bytes: Buffer) => {
    taken += bytes.length;
  });
  await until('the stalled one is cut off', async () => (await listener.connections()) === 2);
  await until('the other has it all', () => taken > long.length);
  assert.equal(waiting.destroyed || reading.destroyed, false);
});
