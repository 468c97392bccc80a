import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve, temporaryFolder } from '../cli/granary.ts';
import { canLogIn } from '../cli/login.ts';
import { until } from '../robustness/support/until.ts';

const environment = { GRANARY_SA_PASSWORD: 'Correct-Horse-7' };

test('SIGHUP opens the log file anew, and the server serves on; without one it ends the server', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'granary.log');
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  {
    await using server = await serve(['--data', join(folder.path, 'data'), '--log-file', file], { environment });
    await rename(file, `${file}.moved`);
    server.child.kill('SIGHUP');
    await until('the file is there again', () => existsSync(file));
    assert.equal(await canLogIn(server.port, 'sa', 'no'), false);
    await until('the refusal is in it', async () => (await read(file)) !== '');
    assert.match(await read(file), /"message":"login refused"/);
    assert.match(await read(`${file}.moved`), /"message":"started"/);
    assert.equal(await server.end(), 0);
  }
  await using server = await serve(['--data', join(folder.path, 'data')], { environment });
  assert.equal(await server.end('SIGHUP'), 0);
});
