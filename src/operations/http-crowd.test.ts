import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { pipeline, Readable } from 'node:stream';
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
    async come(localAddress = '127.0.0.1'): Promise<Socket> {
      const client = connect({ port, host: '127.0.0.1', localAddress });
      client.on('error', () => {}); // a reset is what it is here for
      clients.push(client);
      await once(client, 'connect');
      return client;
    },
    async send(text: string, localAddress?: string): Promise<Socket> {
      const client = await this.come(localAddress);
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

test('of more than 256 connections those that have been there for longest and ask for nothing make room', async () => {
  await using listener = await minded(() => {});
  const asking = await listener.send(post);
  const idle: Socket[] = [];
  for (let count = 0; count < 300; count++) idle.push((await listener.come()).resume());
  await until('there is room', async () => (await listener.connections()) <= 256);
  await until('the first have left', () => idle.slice(0, 40).every(({ closed }) => closed));
  assert.equal(asking.closed || idle.at(-1)?.closed, false);
});

test('requests that never come whole are 512 at once at most, and who comes from elsewhere keeps its place', async () => {
  await using listener = await minded((request) => void request.resume());
  const other = await listener.send(post, '127.0.0.2');
  for (let count = 0; count < 600; count++) await listener.send(post);
  await until('the others are gone', async () => (await listener.connections()) <= 512);
  assert.equal(other.destroyed, false);
});

test('who sends many requests ahead of the answers is cut off, who sends a few is not', async () => {
  await using listener = await minded(() => {});
  const few = await listener.send(get.repeat(10));
  const many = (await listener.send(get.repeat(100))).resume();
  await until('it is cut off', () => many.closed);
  assert.equal(few.destroyed, false);
});

test('a client that leaves its answer unread is cut off, one that takes it and one that waits for it are not', async () => {
  const pieces = Array.from({ length: 1000 }, () => Buffer.alloc(32 * 1024));
  let cutOff = 0;
  await using listener = await minded((request, response) => {
    if (request.url === '/')
      pipeline(Readable.from(pieces), response, (error) => {
        if (error) cutOff++;
      });
  }, 300);
  const waiting = await listener.send(get.replace('/', '/later'));
  const reading = await listener.send(get);
  const stalled = await listener.send(get);
  stalled.pause();
  let taken = 0;
  reading.on('data', (bytes: Buffer) => {
    taken += bytes.length;
  });
  await until('the stalled one is cut off', () => cutOff === 1);
  await until('the other has it all', () => taken > pieces.length * 32 * 1024);
  assert.equal(waiting.destroyed, false);
});
