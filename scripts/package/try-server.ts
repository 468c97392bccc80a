import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../../src/client/client.ts';
import { addGroup } from '../../src/protocols/translation/add-group.ts';
import { addJob } from '../../src/protocols/translation/add-job.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { portOf } from '../../test/cli/granary.ts';

/** The password of sa in what is tried. */
export const password = 'Correct-Horse-7';

/**
 * Starts what was packaged as a server on fresh data and uses it: calls over TDS, a read that another process does, XML
 * that a thread reads, a backup, the check, status; then stops it.
 */
export async function tryServer(
  program: string,
  first: readonly string[],
  environment: NodeJS.ProcessEnv,
  folder: string,
  /** Whether the program becomes the server, and so hands signals on and ends as it does. */
  handsOn = true,
): Promise<void> {
  const env = { ...environment, GRANARY_SA_PASSWORD: password };
  const data = ['--data', join(folder, 'data')];
  const run = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(program, [...first, ...args], { env, encoding: 'utf8' });
    assert.equal(status, 0, `granary ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  console.log(run('version').trim());
  const begun = performance.now();
  const child = spawn(program, [...first, 'serve', '--port', '0', '--http-port', '0', ...data], { env });
  const closed = once(child, 'close').then(([code]): number | null => code);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  try {
    const port = await portOf(child.stdout, () => ({ stdout: output, stderr: output }), closed);
    console.log(`listening after ${Math.round(performance.now() - begun)} ms`);
    if (handsOn) assertServerFlags(child.pid);
    await use(port);
    assert.match(run('status', ...data), /All is well/);
    run('backup', join(folder, 'all.backup'), ...data);
    assert.match(run('check', ...data), /whole/);
  } catch (error) {
    throw new Error(`It said:\n${output}`, { cause: error });
  } finally {
    if (child.exitCode === null) child.kill('SIGTERM');
    await closed;
  }
  if (handsOn) assert.equal(child.exitCode, 0, output);
  assert.doesNotMatch(output, /Warning|"level":"error"/, output);
  run('restore', join(folder, 'all.backup'), '--data', join(folder, 'restored'));
  console.log('calls, threads, processes, status, backup, check and restore work');
}

/** Whatever starts a server gives it the flags and variables that a clone would (`bin/server-flags.js`). */
function assertServerFlags(pid: number | undefined): void {
  const [command = '', environment = ''] = ['cmdline', 'environ'].map((name) =>
    readFileSync(`/proc/${pid}/${name}`, 'utf8'),
  );
  // Without what is there: the environment of whoever packages is nobody's business.
  assert.ok(/--v8-pool-size=[1-4]/.test(`${command}\0${environment}`), 'it serves without --v8-pool-size');
  assert.ok(/(^|\0)MALLOC_ARENA_MAX=\d+\0/.test(environment), 'it serves without MALLOC_ARENA_MAX');
}

const items = 2000;

/** So many items that a thread reads them. */
const jobXml = `<group xmlns="http://schemas.microsoft.com/office/server/translation/2010/11/databaseJobAdd">${Array.from(
  { length: items },
  (_, item) => `<item id="${item}" in="document-with-a-long-name-${item}.docx" out=""/>`,
).join('')}</group>`;

async function use(port: number): Promise<void> {
  const to = { host: '127.0.0.1', port, user: 'sa', password, database: translation.firstDatabase };
  await using client = Client.create({ ...to, trustServerCertificate: true });
  await client.call(addJob, { JobId: 1n, UserToken: Buffer.of(1), Settings: '' });
  const group = { JobId: 1n, GroupId: 1, InputRoot: '', OutputRoot: '', MaxAttemptsCount: 3 };
  await client.call(addGroup, { ...group, JobXml: jobXml });
  // Pairs of all rows are counted by another process.
  const counted = await client.query('select count(*) as n from Items a cross join Items b');
  assert.equal(counted.sets[0]?.[0]?.['n'], items * items);
}
