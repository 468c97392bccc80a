import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { verifiedManifest } from '../../src/backup/archive-reader.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log/log.ts';
import { settingsWith } from '../../src/cli/resolve-settings.ts';
import { createEngine } from '../../src/create-engine.ts';
import { SqliteEngine } from '../../src/engine/sqlite/engine.ts';
import { forEachEngine } from '../support/engines.ts';
import { startServer } from '../support/server.ts';
import { kinds, must, put } from './backups.ts';
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

  test('what keeps the data from being read is told in one line, which is not about the file', async () => {
    for (const [name, spoil] of [
      ['users.lock', (path: string) => writeFile(path, 'no lock file')],
      ['seals.json', (path: string) => mkdir(path)],
    ] as const) {
      await using data = await leftData();
      await using folder = await temporaryFolder();
      await rm(join(data.path, name), { force: true });
      await spoil(join(data.path, name));
      const { code, stderr } = await runHere(['backup', join(folder.path, 'all.backup'), ...data.flags]);
      assert.equal(code, 1);
      assert.match(stderr, /^granary: The data in \S+ cannot be opened: .*$/m);
      assert.doesNotMatch(stderr, /unexpected|all\.backup/);
      assert.deepEqual(await readdir(folder.path), []);
    }
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

describe('a restore over what is there', () => {
  /** A state that a kill may leave: the old contents are moved aside, and nothing of the new ones is in place yet. */
  const remains: readonly [string, (data: string) => Promise<void>][] = [
    [
      'while it unpacked',
      async (data) => {
        await mkdir(join(data, '.restoring'), { recursive: true, mode: 0o700 });
        await writeFile(join(data, '.restoring', 'granary.db'), '');
      },
    ],
    [
      'after it had moved the old contents aside',
      async (data) => {
        await mkdir(join(data, 'replaced-2026-11-19T08-00-00.000Z'), { recursive: true, mode: 0o700 });
        await mkdir(join(data, '.restoring'), { mode: 0o700 });
      },
    ],
  ];
  for (const [when, leave] of remains) {
    test(`that was killed ${when} is no first start: it is refused until the restore is done again`, async () => {
      await using source = await leftData();
      await using folder = await temporaryFolder();
      const [file, data] = [join(folder.path, 'all.backup'), join(folder.path, 'data')];
      await must(['backup', file, ...source.flags]);
      await leave(data);
      for (const command of [
        ['serve', '--port', '0', '--http-port', 'off'],
        ['login', 'list'],
      ]) {
        const { code, stderr } = await runHere([...command, '--data', data], {}, AbortSignal.timeout(10_000));
        assert.equal(code, 1);
        assert.match(
          stderr,
          /has no databases but what a restore left that was interrupted: .*granary restore FILE --force/,
        );
      }
      await must(['restore', file, '--force', '--data', data]);
      assert.match((await runHere(['login', 'list', '--data', data])).stdout, /^sa /m);
    });
  }

  test('that another command works on is refused: what it writes would go into the files that are moved aside', async () => {
    await using source = await leftData();
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'all.backup');
    await must(['backup', file, ...source.flags]);
    const worker = await createEngine(settingsWith({ data: source.path }));
    await worker.start();
    const { code, stderr } = await runHere(['restore', file, '--force', ...source.flags]);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^granary: Another command of Granary uses the data in .*Wait until it has ended/m);
    await worker.stop();
    await must(['restore', file, '--force', ...source.flags]);
  });
});

describe('the copy before an upgrade', () => {
  test('an upgrade that fails leaves none, however often it is tried; one that succeeds leaves one that is whole', async () => {
    await using folder = await temporaryFolder();
    const migration = (number: number, text: string) => ({ area: 'shop', number, name: `step-${number}`, text });
    const first = migration(1, 'create table goods (name text not null)');
    const engineWith = (...migrations: ReturnType<typeof migration>[]) =>
      new SqliteEngine({
        folder: folder.path,
        schemas: [{ kind: 'shop', migrations }],
        clock: systemClock,
        log: silentLog,
      });
    const copies = async () => (await readdir(join(folder.path, 'before-upgrade')).catch(() => [])).toSorted();
    {
      await using engine = engineWith(first);
      await engine.start();
      await engine.create('Shop', 'shop');
    }
    {
      await using engine = engineWith(first, migration(2, 'create table goods (name text not null)'));
      await engine.start();
      for (let time = 0; time < 3; time++) await assert.rejects(engine.open('Shop'), /Migration 2 .* failed/);
    }
    assert.deepEqual(await copies(), []);
    {
      await using engine = engineWith(first, migration(2, 'create table prices (name text not null)'));
      await engine.start();
      assert.ok(await engine.open('Shop'));
    }
    const [copy = '', ...others] = await copies();
    assert.match(copy, /^shop-.*Z\.db$/);
    assert.deepEqual(others, []);
    using kept = new DatabaseSync(join(folder.path, 'before-upgrade', copy));
    assert.deepEqual(kept.prepare("select name from sqlite_schema where name in ('goods', 'prices')").all().length, 1);
  });
});
