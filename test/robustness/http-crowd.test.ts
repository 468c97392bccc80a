import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startLab } from './support/lab-server.ts';
import { until } from './support/until.ts';

function addressOf(where: string | undefined): { host: string; port: number } {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(where ?? '') ?? [];
  return { host, port: Number(port) };
}

/** The status of a request, or what became of it instead. */
async function statusOf(at: { host: string; port: number }, path: string): Promise<unknown> {
  const asking = request({ ...at, path, agent: false }).end();
  const [response] = await once(asking, 'response').catch((error: Error) => [error.message]);
  if (typeof response === 'string') return response;
  response.resume();
  return response.statusCode;
}

test('connections to the HTTP listener that say nothing, or half of something, keep nobody from its health', async () => {
  await using server = await startLab({ settings: { httpPort: 0 } });
  const at = addressOf(server.granary.httpAddress);
  const sockets: Socket[] = [];
  for (const said of ['', 'GET /livez HTTP/1.1\r\nhost: x\r\n']) {
    for (let count = 0; count < 300; count++) {
      const socket = connect(at);
      socket.on('error', () => {}); // a reset is what it is here for
      sockets.push(socket);
      await once(socket, 'connect');
      if (said !== '') socket.write(said);
    }
    for (let times = 0; times < 3; times++) assert.equal(await statusOf(at, '/livez'), 200);
    // The oldest have made room: not more stay than may be there at once.
    await until('some have been cut off', () => sockets.filter(({ destroyed }) => !destroyed).length <= 256);
  }
  for (const socket of sockets) socket.destroy();
});

test('nothing long is taken from somebody who has not logged in to the console', async () => {
  await using server = await startLab({ settings: { httpPort: 0 } });
  const headers = { 'content-type': 'application/json' };
  const at = addressOf(server.granary.httpAddress);
  const statuses = [];
  for (const length of [1000, 100_000]) {
    const asking = request({ ...at, path: '/api/v1/session', method: 'POST', headers, agent: false });
    asking.end(JSON.stringify({ login: 'sa', password: 'x'.repeat(length) }));
    const [response] = await once(asking, 'response');
    response.resume();
    statuses.push(response.statusCode);
  }
  assert.deepEqual(statuses.slice(1), [413]);
  assert.notEqual(statuses[0], 413);
});

test('who sends a body without end to the HTTP listener is cut off', async () => {
  await using server = await startLab({ settings: { httpPort: 0 } });
  const socket = connect(addressOf(server.granary.httpAddress));
  socket.on('error', () => {}); // a reset is what it is here for
  let said = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    said += text;
  });
  socket.write('POST /nowhere HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
  const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
  let sent = 0;
  for (; !socket.destroyed && sent < 4 * 1024 ** 3; sent += chunk.length) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => {}), delay(50)]);
  }
  assert.ok(socket.destroyed, `${sent} bytes were taken`);
  // Not for the time that it took: who sends slowly is told that.
  assert.doesNotMatch(said, /408/);
  assert.equal(await statusOf(addressOf(server.granary.httpAddress), '/livez'), 200);
});
