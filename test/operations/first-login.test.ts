import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createListener } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../src/base/log/log.ts';
import { settingsWith } from '../../src/cli/resolve-settings.ts';
import { createServer } from '../../src/main.ts';
import { password } from '../support/server.ts';

test('the login of a password that was given is there before a server listens: who waits until it is ready can log in', async () => {
  const data = await mkdtemp(join(tmpdir(), 'granary-test-'));
  const other = createListener().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const start = async (changes: { port: number; saPassword: string }) => {
    const settings = settingsWith({ httpPort: 'off', workers: [], data, engine: 'sqlite', ...changes });
    const granary = createServer(settings, { kinds: [], log: silentLog });
    await granary.start();
    return granary;
  };
  try {
    // A server that cannot listen got as far as that.
    await assert.rejects(start({ port, saPassword: password }));
    await using granary = await start({ port: 0, saPassword: 'Other-Horse-7' });
    assert.equal((await granary.accounts.verify('sa', password, ''))?.login, 'sa');
  } finally {
    other.close();
    await rm(data, { recursive: true, force: true });
  }
});
