import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '../../src/client/client.ts';
import { addGroup } from '../../src/protocols/word/add-group.ts';
import { addJob } from '../../src/protocols/word/add-job.ts';
import { getJobStatus } from '../../src/protocols/word/get-job-status.ts';
import { submitJob } from '../../src/protocols/word/submit-job.ts';
import { withoutOffice } from '../workers/convert/office.ts';
import { serve, temporaryFolder } from './granary.ts';
import { runHere, serveHere } from './run-here.ts';

const password = 'Correct-Horse-7';
const bin = fileURLToPath(new URL('../../bin/granary.js', import.meta.url));
const own = '<settings xmlns="urn:granary:job-settings" to="pdf"/>';

async function submit(
  client: Client,
  folder: string,
  JobId: bigint,
  out: string,
  Settings: string | null,
): Promise<void> {
  await client.call(addJob, { JobId, Settings });
  await client.call(addGroup, {
    JobId,
    GroupId: 1,
    InputRoot: join(folder, 'docs'),
    OutputRoot: join(folder, 'docs'),
    MaxAttemptsCount: 1,
    JobXml: `<group xmlns="http://schemas.microsoft.com/office/server/word/2009/08/databaseJobAdd"><item id="1" in="a.txt" out="${out}"/></group>`,
  });
  await client.call(submitJob, { JobId });
}

async function succeeded(client: Client, JobId: bigint): Promise<void> {
  for (;;) {
    const { sets } = await client.call(getJobStatus, { JobId, PartitionId: null });
    const [status] = sets.ResultSet0;
    assert.equal(status?.Failed, 0);
    if (status.Succeeded === 1) return;
    await delay(50);
  }
}

describe('Workers', { skip: withoutOffice }, () => {
  test('inside the server do its own jobs by themselves; granary work does all, and gives back at the end', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'docs'));
    await writeFile(join(folder.path, 'docs', 'a.txt'), 'a text');
    const data = join(folder.path, 'data');
    await using server = await serveHere(['--data', data, '--workers', 'auto', '--work-roots', folder.path], {
      GRANARY_SA_PASSWORD: password,
    });
    const network = { host: '127.0.0.1', port: server.port, user: 'sa', password, encryption: 'off' } as const;
    await using client = Client.create({ ...network, database: 'WordAutomationServices' });
    await submit(client, folder.path, 1n, 'theirs.pdf', null);
    await submit(client, folder.path, 2n, 'ours.pdf', own);
    await succeeded(client, 2n);
    assert.deepEqual((await readdir(join(folder.path, 'docs'))).sort(), ['a.txt', 'ours.pdf']);
    const place = ['--server', `127.0.0.1:${server.port}`, '--encryption', 'off'];
    const args = ['work', 'convert', '--concurrency', '1', '--roots', join(folder.path, 'docs'), ...place];
    const worker = spawn(process.execPath, [bin, ...args], { env: { ...process.env, GRANARY_PASSWORD: password } });
    await succeeded(client, 1n);
    worker.kill('SIGTERM');
    const [code] = await once(worker, 'exit');
    assert.equal(code, 0);
    assert.match(await readFile(join(folder.path, 'docs', 'theirs.pdf'), 'latin1'), /^%PDF/);
    assert.equal(await server.end(), 0);
  });
});

test('granary work says what is wrong with what it is told', async () => {
  await using folder = await temporaryFolder();
  const run = (...args: readonly string[]) => runHere(['work', ...args, '--data', folder.path]);
  assert.match((await run('convert', '--concurrency', 'many')).stderr, /--concurrency.*whole number/);
  assert.match((await run('convert', '--roots', 'ftp://a/')).stderr, /--roots.*folders such as/);
  assert.match((await run('translate', '--translator', 'here')).stderr, /--translator/);
  assert.match((await run('convert')).stderr, /There is no data in/);
});

test('a worker that is named and whose program is missing is told in the log, with how to install it', async () => {
  await using folder = await temporaryFolder();
  await using server = await serve(['--data', join(folder.path, 'data'), '--workers', 'convert,translate'], {
    environment: { GRANARY_SA_PASSWORD: password, PATH: folder.path },
  });
  assert.equal(await server.end(), 0);
  assert.match(
    server.output().stderr,
    /translate is not available, because Apertium is not installed: apt-get install apertium/,
  );
});
