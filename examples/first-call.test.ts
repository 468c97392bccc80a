import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { password, startServer } from '../test/support/server.ts';

test('examples/first-call.ts adds a job and lists it', async () => {
  await using server = await startServer();
  const example = fileURLToPath(new URL('first-call.ts', import.meta.url));
  const env = { ...process.env, GRANARY_PORT: String(server.port), GRANARY_PASSWORD: password };
  const { stdout } = await promisify(execFile)(process.execPath, [example], { env });
  assert.match(stdout, /^proc_AddJob returned 0$/m);
  assert.match(stdout, /Name: 'my first job'/);
  assert.match(stdout, /^proc_GetJobs returned 0$/m);
});
