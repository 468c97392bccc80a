import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { verifiedManifest } from '../../src/backup/archive-reader.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer } from '../support/server.ts';
import { kinds, put } from './backups.ts';
import { granary, temporaryFolder } from './granary.ts';
import { leftData, runHere } from './run-here.ts';

describe('where a backup is written', () => {
  forEachEngine((engine) => {
    test('two backups to one file at the same time: each that reports success has left a whole one', async () => {
      await using server = await startServer({ engine, kinds });
      await using folder = await temporaryFolder();
      const file = join(folder.path, 'same.backup');
      const { data, engine: url } = server.granary.settings;
      const args = ['backup', file, '--tools', 'none', '--data', data, '--engine', url];
      const ended = await Promise.all([granary(args), granary(args)]);
      const told = ended.map(({ stdout }) => / as of (\S+) in /.exec(stdout)?.[1]);
      for (const { code, stderr } of ended) assert.ok(code === 0 || /already exists/.test(stderr), stderr);
      const { moment } = await verifiedManifest(file);
      assert.ok(told.includes(moment), `${moment} is of a backup that failed: ${told}`);
      assert.deepEqual(await readdir(folder.path), ['same.backup']);
    });
  });

  test('a name that stands for no file is refused, also with --force, and what is there is left', async () => {
    await using data = await leftData();
    await using folder = await temporaryFolder();
    const pipe = join(folder.path, 'pipe');
    assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
    const { code, stderr } = await runHere(['backup', pipe, '--force', ...data.flags]);
    assert.equal(code, 1);
    assert.match(stderr, /^granary: .*pipe is not a file and cannot be replaced by one/m);
    assert.ok((await stat(pipe)).isFIFO());
    const long = join(folder.path, 'a'.repeat(300));
    const refused = await runHere(['backup', long, ...data.flags]);
    assert.match(refused.stderr, /^granary: The backup cannot be written to .*ENAMETOOLONG/m);
    assert.match((await runHere(['restore', long, ...data.flags])).stderr, /^granary: There is no file/m);
  });

  test('a signal ends a backup that waits for a transaction, however long that stays open', async () => {
    await using server = await startServer({ kinds });
    await using folder = await temporaryFolder();
    const { data } = server.granary.settings;
    const holder = await server.connect('SharePoint_Config');
    await holder.batch('begin transaction');
    await put(holder, 1);
    const started = performance.now();
    const args = ['backup', join(folder.path, 'held.backup'), '--data', data];
    const { code, stderr } = await runHere(args, {}, AbortSignal.timeout(300));
    assert.equal(code, 1);
    assert.match(stderr, /was interrupted before it was complete; nothing of it was left/);
    assert.ok(performance.now() - started < 60_000);
    await holder.batch('rollback');
  });
});
