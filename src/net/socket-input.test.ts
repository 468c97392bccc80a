import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { thisRound } from '../base/threads/rota.ts';
import { SocketInput } from './socket-input.ts';

test('what still arrives on a connection that is being closed is read a chunk a round', async () => {
  await using server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP listener's is no name
  const client = connect(port, '127.0.0.1');
  const [socket] = (await once(server, 'connection')) as [Socket];
  const rounds: number[] = [];
  new SocketInput(socket, () => rounds.push(thisRound())).drop();
  const ended = once(socket, 'end');
  client.end(Buffer.alloc(2 * 1024 * 1024));
  await ended;
  assert.ok(rounds.length > 1);
  assert.equal(new Set(rounds).size, rounds.length);
  socket.destroy();
});
