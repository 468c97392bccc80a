import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { getJobs } from '../../src/protocols/translation/get-jobs.ts';
import { serve, temporaryFolder } from '../cli/granary.ts';
import { connect, Ledger, Load, password } from '../faults/load.ts';
import { until } from '../robustness/support/until.ts';
import { PostgresProcess, runAs } from './support/postgres-process.ts';

/** Mounts a small disk that PostgreSQL may write to, or says that nobody can here. */
function mounted(place: string, t: TestContext): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', place], { stdio: 'ignore' });
  } catch {
    t.skip('file systems cannot be mounted here');
    return false;
  }
  const { uid = -1, gid = -1 } = runAs();
  chownSync(place, uid, gid);
  return true;
}

test('a PostgreSQL that became read-only: a node is not ready, though its sessions answer', async () => {
  await using folder = await temporaryFolder();
  await using store = await PostgresProcess.make();
  await store.start();
  const environment = { GRANARY_SA_PASSWORD: password, GRANARY_ENGINE: store.url() };
  await using server = await serve(['--data', folder.path, '--http-port', '0'], { environment });
  const http = /^http on (\S+)$/m.exec(server.output().stdout)?.[1];
  const readiness = async () => {
    const response = await fetch(`http://${http}/readyz`);
    return [response.status, /PostgreSQL.* is read-only/.test(await response.text())].join();
  };
  await store.ask('alter system set default_transaction_read_only = on');
  await store.ask('select pg_reload_conf()');
  await until('it is not ready', async () => (await readiness()) === '503,true');
});

describe('a PostgreSQL whose disk is full', () => {
  test('calls that need room are error 9002 and one log line, others go on, and all when there is room; nothing acknowledged is lost', async (t) => {
    await using folder = await temporaryFolder();
    execFileSync('chmod', ['755', folder.path]);
    const disk = join(folder.path, 'disk');
    await mkdir(disk);
    if (!mounted(disk, t)) return;
    const store = await PostgresProcess.make();
    try {
      await store.start();
      await store.ask(`create tablespace small location '${disk}'`);
      await store.ask('create database granary tablespace small');
      const environment = { GRANARY_SA_PASSWORD: password, GRANARY_ENGINE: store.url('granary') };
      await using server = await serve(['--data', join(folder.path, 'node'), '--http-port', '0'], { environment });
      const ledger = new Ledger();
      const load = new Load(server.port, ledger, 8);
      await until('calls are acknowledged', () => load.count > 50);
      execFileSync('sh', ['-c', `dd if=/dev/zero of="${join(disk, 'fill')}" bs=8k 2>/dev/null || true`]);
      await until('calls are refused', () => load.refused > 200);
      {
        await using reader = await connect(server.port);
        await reader.query('select count(*) as n from Jobs');
      }
      const http = /^http on (\S+)$/m.exec(server.output().stdout)?.[1];
      const readiness = async () => {
        const response = await fetch(`http://${http}/readyz`);
        return [response.status, /PostgreSQL has no room: /.test(await response.text())];
      };
      assert.deepEqual(await readiness(), [503, true]);
      const lines = server.output().stderr.split('\n');
      assert.doesNotMatch(lines.join('\n'), /internal fault/);
      const told = lines.filter((line) => line.includes('"number":9002'));
      assert.ok(told.length >= 1 && told.length <= 10, `${told.length} lines`); // a slow machine may need minutes
      await rm(join(disk, 'fill'));
      const refused = load.count;
      await until('calls go on', () => load.count > refused + 50);
      assert.deepEqual(await readiness(), [200, false]);
      await load.stop();
      // Transactions of clients may conflict with each other, whatever the disk does (1205).
      assert.deepEqual(
        [...ledger.errors.keys()].filter((number) => number !== 1205),
        [9002],
      );
      await using client = await connect(server.port);
      const { sets } = await client.call(getJobs, { ActiveOnly: false, SubmittedOnly: false });
      const there = new Set(sets.ResultSet0.map(({ JobId }) => JobId));
      assert.deepEqual(
        [...ledger.acknowledged].filter((id) => !there.has(id)),
        [],
      );
    } finally {
      await store[Symbol.asyncDispose]();
      execFileSync('umount', ['-l', disk]);
    }
  });
});
