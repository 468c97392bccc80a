import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import { thisRound } from '../base/threads/rota.ts';
import { readInTurns } from './http-input.ts';
import { HttpTurns } from './http-turns.ts';

test('of a body in many tiny parts one chunk is parsed in a round of the event loop', async () => {
  const rounds = new Map<number, number>();
  await using server = createServer((request, response) => {
    request.on('data', ({ length }: Buffer) => rounds.set(thisRound(), (rounds.get(thisRound()) ?? 0) + length));
    request.on('end', () => response.end());
  });
  readInTurns(server, new HttpTurns());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // an address of TCP is never a text
  const client = connect(port, '127.0.0.1');
  const parts = 200_000;
  client.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n`);
  client.write(`${'1\r\na\r\n'.repeat(parts)}0\r\n\r\n`);
  client.resume();
  await once(client, 'close');
  const counts = [...rounds.values()];
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    parts,
  );
  // The system hands over at most 64 KB at a time, in which each part takes six bytes.
  assert.ok(Math.max(...counts) <= (64 * 1024) / 6 + 1, `${Math.max(...counts)} parts in a round`);
});
