import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { putClass } from '../../src/protocols/config/objects/put-class.ts';
import { serve, temporaryFolder } from '../cli/granary.ts';
import { TestClient } from '../support/client.ts';
import { password } from '../support/server.ts';
import { until } from './support/until.ts';

/** As many descriptors as the server may have: about twice of what it has without clients. */
const most = 256;

/** Takes all that are left, by connections of which none logs in. */
async function takeAll(port: number, pid: number | undefined): Promise<Disposable> {
  const sockets: Socket[] = [];
  for (let count = 0; count < 2 * most; count++) sockets.push(connect(port, '127.0.0.1').on('error', () => {}));
  await until('all descriptors are taken', () => readdirSync(`/proc/${pid}/fd`).length >= most);
  return {
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

test('a server without a free descriptor refuses what needs one, and goes on when there are some again', {
  skip: process.platform === 'linux' ? false : 'descriptors are counted in /proc',
}, async () => {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  const environment = { GRANARY_SA_PASSWORD: password };
  // A first start writes to every database.
  await (await serve(['--data', data], { environment })).end();
  const node = join(folder.path, 'node');
  await writeFile(node, `#!/bin/sh\nulimit -n ${most}\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 });
  await using server = await serve(['--data', data, '--http-port', '0'], { environment, node });
  const { port, child } = server;
  const [, httpPort] = /^http on .*:(\d+)$/m.exec(server.output().stdout) ?? [];
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const statusOf = async (path: string) => {
    const [response] = await once(http.get({ host: '127.0.0.1', port: httpPort, path, agent }), 'response');
    await once(response.resume(), 'end');
    return response.statusCode;
  };
  await using client = await TestClient.open({
    server: '127.0.0.1',
    authentication: { type: 'default', options: { userName: 'sa', password } },
    options: { port, trustServerCertificate: true, database: 'SharePoint_Config' },
  });
  const Id = '00000000-0000-0000-0000-000000000001';
  const put = () => client.call(putClass, { Id, BaseClassId: null, FullName: 'x', RequestGuid: null });
  const count = async () => (await client.batch('select count(*) as n from Classes')).sets[0]?.[0]?.['n'];
  assert.equal(await statusOf('/livez'), 200);
  const before = await count();
  {
    using _ = await takeAll(port, child.pid);
    // Nobody has looked at the console or written to this database yet: both need files that are not open.
    assert.equal(await statusOf('/api/v1/session'), 500);
    await assert.rejects(put(), /internal error/);
    assert.equal(await statusOf('/livez'), 200);
  }
  await until('the console answers', async () => (await statusOf('/api/v1/session')) === 401);
  assert.equal(await count(), before);
  await put();
  agent.destroy();
  assert.equal(await server.end(), 0);
});
