import assert from 'node:assert/strict';
import { open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import pg from 'pg';
import { allKinds } from '../../src/kinds.ts';
import { until } from '../robustness/support/until.ts';
import { testPostgres } from '../support/engines.ts';
import { newPostgresDatabase } from '../support/postgres-database.ts';
import { postgres } from '../support/prepared-data.ts';
import { password, startServer } from '../support/server.ts';
import { granary, temporaryFolder } from './granary.ts';
import { loginErrors, query } from './login.ts';
import { leftData, runHere, serveHere } from './run-here.ts';

describe('granary check', () => {
  test('whole data: a line a database and exit code 0, beside a running server too', async () => {
    await using server = await startServer();
    const { code, stdout, stderr } = await granary(['check', '--data', server.granary.settings.data]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^granary: whole$/m);
    assert.match(stdout, /^TranslationServices: whole$/m);
    assert.equal(stdout.trim().split('\n').length, allKinds.length + 1);
  });

  test('a PostgreSQL without data is not whole: nothing is checked, backed up or made there', async () => {
    await using store = await newPostgresDatabase();
    await using folder = await temporaryFolder();
    const place = ['--data', folder.path, '--engine', store.url];
    for (const command of [['check'], ['backup', join(folder.path, 'a.backup')], ['login', 'list']]) {
      const { code, stderr } = await runHere([...command, ...place]);
      assert.equal(code, 1);
      assert.match(stderr, /^granary: There is no data in postgres:.* Start a server there first/m);
    }
    const client = new pg.Client(store.url);
    await client.connect();
    const { rows } = await client.query("select nspname from pg_namespace where nspname like 'granary%'");
    await client.end();
    assert.deepEqual(rows, []);
    const nowhere = ['--data', folder.path, '--engine', 'postgres://granary@127.0.0.1:1/granary'];
    const { stderr } = await runHere(['backup', join(folder.path, 'a.backup'), ...nowhere]);
    assert.match(stderr, /^granary: PostgreSQL at postgres:.* cannot be used: connect ECONNREFUSED/m);
  });

  test('a database that a newer release has opened is not told to be damaged, nor to be restored over', async () => {
    await using data = await leftData();
    {
      using file = new DatabaseSync(join(data.path, 'translationservices.db'));
      file.exec("insert into granary_migrations values ('jobs', 1000, 'later', '', 0)");
    }
    const { code, stdout, stderr } = await runHere(['check', ...data.flags]);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /TranslationServices:\n {2}.* was last opened by a newer Granary: .*Start the newer Granary\./,
    );
    assert.match(stderr, /^granary: TranslationServices: only the newer Granary can check this\.$/m);
    assert.doesNotMatch(stderr, /damaged|restore/);
  });

  test('an item without its job is told with the rule that it breaks, and the exit code is 1', async () => {
    await using data = await leftData();
    {
      using file = new DatabaseSync(join(data.path, 'translationservices.db'));
      file.exec(
        `insert into items (job_key, group_id, item_id, attempts_remaining, input_file) values (7, 1, 1, 1, 'a')`,
      );
    }
    const { code, stdout, stderr } = await runHere(['check', ...data.flags]);
    assert.equal(code, 1);
    assert.match(stdout, /TranslationServices:\n {2}violated: an item belongs to a group \(7\)/);
    assert.match(stderr, /TranslationServices: damaged\. Keep a copy/);
    const json = JSON.parse(
      (await runHere(['check', '--json', '--database', 'translationservices', ...data.flags])).stdout,
    );
    assert.equal(json[0].wrong.length, 1);
  });

  test('counters that do not fit and versions out of order are told', async () => {
    await using data = await leftData();
    const change = (name: string, text: string) => {
      using file = new DatabaseSync(join(data.path, name));
      file.exec(text);
    };
    change(
      'translationservices.db',
      `insert into jobs (job_key, job_id, partition_id, create_time, item_total) values (7, 7, '', 1, 2)`,
    );
    change(
      'sharepoint_config.db',
      `insert into tombstones (id, version) values ('gone', 1000000);
       insert into site_ranks (tree, level, low, sites, redirecting, upgraded) values ('lone', 0, '', 1, 0, 0), ('lone', 1, '', 2, 0, 0)`,
    );
    const { code, stdout } = await runHere(['check', ...data.flags]);
    assert.equal(code, 1);
    assert.match(stdout, /violated: a job of which no item has stopped has all the items that it has had \(7\)/);
    assert.match(stdout, /violated: no object was deleted at a version above the last that was given out \(gone\)/);
    assert.match(stdout, /violated: the ranks of references count all of them, on each level \(lone\)/);
  });

  test('the same rules on PostgreSQL', async () => {
    await using server = await startServer({
      engine: 'postgres',
      kinds: allKinds.filter(({ name }) => name === 'translation'),
    });
    const { data, engine } = server.granary.settings;
    const place = ['--data', data, '--engine', engine];
    assert.equal((await runHere(['check', ...place])).code, 0);
    const client = new pg.Client({ connectionString: engine });
    await client.connect();
    await client.query('insert into granary_translationservices.groups (job_key, group_id) values (9, 1)');
    await client.end();
    const { code, stdout } = await runHere(['check', ...place]);
    assert.equal(code, 1);
    assert.match(stdout, /violated: a group belongs to a job \(9\)/);
  });

  test('a PostgreSQL that goes away meanwhile is no damage: nobody is told to restore from a backup', async () => {
    await using server = await startServer({
      engine: 'postgres',
      kinds: allKinds.filter(({ name }) => name === 'translation'),
    });
    const { data, engine } = server.granary.settings;
    await server.granary.stop();
    const name = new URL(engine).pathname.slice(1);
    const store = await testPostgres();
    const ask = (text: string) => postgres(store, (client) => client.query(text));
    const waiting = `from pg_stat_activity where datname = '${name}' and wait_event_type = 'Lock'`;
    const checking = await postgres(engine, async (holder) => {
      await holder.query('begin; lock table granary_translationservices.items in access exclusive mode');
      const ended = runHere(['check', '--data', data, '--engine', engine, '--engine-timeout', '0s']);
      await until('it waits for the table', async () => (await ask(`select ${waiting}`)).rowCount === 1);
      await ask(`alter database ${name} allow_connections false`);
      await ask(`select pg_terminate_backend(pid) ${waiting}`);
      return await ended;
    });
    assert.equal(checking.code, 1);
    assert.match(
      checking.stderr,
      /^granary: TranslationServices could not be checked: .*PostgreSQL cannot be reached/m,
    );
    assert.doesNotMatch(checking.stdout + checking.stderr, /damaged|restore/);
  });

  test('a flipped byte in a page is found', async () => {
    await using data = await leftData();
    const path = join(data.path, 'sharepoint_config.db');
    const pageSize = (await readFile(path)).readUInt16BE(16);
    await using file = await open(path, 'r+');
    await file.write(Buffer.from([0xff, 0xff, 0xff]), 0, 3, 4 * pageSize);
    const { code, stdout } = await runHere(['check', ...data.flags]);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /SharePoint_Config:\n {2}/);
  });
});

describe('a start on damaged data', () => {
  for (const [what, damage] of [
    ['empty', (path: string) => writeFile(path, '')],
    ['missing', (path: string) => rm(path)],
  ] as const) {
    test(`a list of databases that is ${what} beside databases is no first start: it is refused with a clear line`, async () => {
      await using data = await leftData();
      await damage(join(data.path, 'granary.db'));
      const line = `the list of the databases and logins, is ${what}, but there are .*translationservices.db.*Restore it from a backup`;
      for (const command of [['serve', '--port', '0', '--http-port', 'off'], ['check']]) {
        const { code, stderr } = await runHere([...command, ...data.flags]);
        assert.equal(code, 1);
        assert.match(stderr, new RegExp(line));
        assert.equal(stderr.trim().split('\n').length, 1);
      }
    });
  }

  for (const [what, damage] of [
    ['it is empty', (path: string) => writeFile(path, '')],
    ['it is missing', (path: string) => rm(path)],
    ['it was cut short', async (path: string) => truncate(path, Math.floor((await stat(path)).size / 4096 / 2) * 4096)],
    ['it is not a database', (path: string) => writeFile(path, 'x'.repeat(4096))],
  ] as const) {
    test(`one database of which ${what}: the others are served, a login to it gets 926, sys.databases says SUSPECT`, async () => {
      await using data = await leftData();
      await damage(join(data.path, 'translationservices.db'));
      await using server = await serveHere(data.flags);
      assert.deepEqual(await loginErrors(server.port, 'sa', password, 'SharePoint_Config'), []);
      assert.deepEqual(await loginErrors(server.port, 'sa', password, 'TranslationServices'), [926, 4060, 18456]);
      assert.match(server.output().stderr, new RegExp(what));
      const state = "select state_desc from sys.databases where name = 'TranslationServices'";
      assert.equal(await query(server.port, 'sa', password, state), 'SUSPECT');
      const found = await runHere(['check', ...data.flags]);
      assert.equal(found.code, 1);
      assert.match(found.stdout, new RegExp(`TranslationServices:\n {2}${what}`));
    });
  }
});
