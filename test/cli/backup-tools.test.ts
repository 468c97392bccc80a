import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import { verifiedManifest } from '../../src/backup/archive-reader.ts';
import { allKinds } from '../../src/kinds.ts';
import { longPackages } from '../clients/packages.ts';
import { missing } from '../clients/run.ts';
import { PostgresProcess } from '../cluster/support/postgres-process.ts';
import { until } from '../robustness/support/until.ts';
import { isLongRun } from '../support/long-run.ts';
import { newPostgresDatabase } from '../support/postgres-database.ts';
import { startServer } from '../support/server.ts';
import { kinds, must, numbers, serveRestored, Writing } from './backups.ts';
import { granary, temporaryFolder } from './granary.ts';

const config = 'SharePoint_Config';

/** A folder with a program of PostgreSQL's name that says a version and then fails. */
async function programs(folder: string, version: string): Promise<string> {
  const text = `#!/bin/sh\n[ "$1" = --version ] && echo "pg_dump (PostgreSQL) ${version}" && exit 0\necho "pg_dump: error: not today" >&2\nexit 1\n`;
  await writeFile(join(folder, 'pg_dump'), text, { mode: 0o755 });
  return folder;
}

describe('granary backup of PostgreSQL where its pg_dump is of no use', () => {
  test('says why and reads the tables itself', async () => {
    await using server = await startServer({ engine: 'postgres', kinds });
    await using folder = await temporaryFolder();
    const { data, engine } = server.granary.settings;
    const place = ['--data', data, '--engine', engine];
    const file = join(folder.path, 'all.backup');
    const backup = async (version: string) =>
      must(['backup', file, '--force', ...place, '--tools', await programs(folder.path, version)]);
    assert.match(await backup('9.6.24'), /^Read without pg_dump: pg_dump 9\.6\.24 is older than PostgreSQL \d+\.$/m);
    assert.match(await backup('99.1'), /^Read without pg_dump: pg_dump: error: not today\.$/m);
    assert.equal((await verifiedManifest(file)).format, 1);
  });
});

const skip = isLongRun
  ? (missing(longPackages.postgres) ?? false)
  : 'it needs a PostgreSQL of the system: npm run test:long';

describe('granary backup of PostgreSQL where its pg_dump fits', { skip }, () => {
  test('is of one moment over all databases, and restored with pg_restore and without, and into other releases, alike', async () => {
    await using stack = new AsyncDisposableStack();
    const store = stack.use(await systemPostgres());
    const folder = stack.use(await temporaryFolder());
    const place = { data: join(folder.path, 'data'), url: store.url() };
    const flags = ['--data', place.data, '--engine', place.url];
    const server = await serveRestored(place, stack, allKinds);
    await must(['database', 'create', 'Second', '--kind', 'config', ...flags]);
    const clients = [await server.connect(config), await server.connect('Second')];
    const writing = new Writing(clients);
    await until('rows are written', () => writing.done >= 50);
    const before = writing.done;
    const file = join(folder.path, 'all.backup');
    const said = await must(['backup', file, ...flags], granary);
    assert.match(said, /^Read by \/.*\/pg_dump \d+\.\d+.*\.$/m);
    assert.ok(writing.done > before, 'nothing was written meanwhile');
    await writing.stop();

    await store.ask('create database with_tools');
    await store.ask('create database without');
    const newer = stack.use(await newPostgresDatabase());
    const restored = [
      { url: store.url('with_tools'), tools: [], says: /^Tables created by .*pg_restore/m },
      {
        url: store.url('without'),
        tools: ['--tools', 'none'],
        says: /^Tables created without pg_restore: --tools none/m,
      },
      { url: newer.url, tools: [], says: /^Tables made/m },
    ];
    const states: unknown[] = [];
    for (const [i, { url, tools, says }] of restored.entries()) {
      const data = join(folder.path, `restored-${i}`);
      assert.match(await must(['restore', file, '--data', data, '--engine', url, ...tools]), says);
      states.push(await stateOf(url));
      const own = await serveRestored({ data, url }, stack, allKinds);
      const [first, second] = [await numbers(own, config), await numbers(own, 'Second')];
      assert.ok(second.length >= before, `${second.length} of ${before}`);
      assert.ok(first.length - second.length === 0 || first.length - second.length === 1);
      await must(['check', '--data', data, '--engine', url]);
    }
    assert.deepEqual(states[1], states[0]);
    assert.deepEqual(states[2], states[0]);

    // One database of it, where its schema is there already, and so under another.
    const one = await must(['restore', file, '--database', 'Second', '--force', ...flags]);
    assert.match(one, /^Tables made/m);
    assert.ok((await numbers(server, 'Second')).length >= before);
  });
});

/** A PostgreSQL of the system, with programs of the same release beside it. */
async function systemPostgres(): Promise<PostgresProcess> {
  const [postgres = ''] = globSync('/usr/lib/postgresql/*/bin/postgres').toSorted().reverse();
  const store = await PostgresProcess.make([], { postgres, initdb: join(dirname(postgres), 'initdb') });
  await store.start();
  return store;
}

/** What is in a PostgreSQL: the rows of every table, all indexes and constraints. */
async function stateOf(url: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const state: Record<string, unknown> = {};
    const own = "n.nspname like 'granary%'";
    const tables = await client.query(
      `select format('%I.%I', n.nspname, c.relname) as t from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and ${own} order by 1`,
    );
    for (const { t } of tables.rows) {
      // When a migration was applied is another moment where it was applied anew.
      const row = t.endsWith('granary_migrations') ? 'row(area, number, name, checksum)::text' : 'x::text';
      const { rows } = await client.query(
        `select count(*) as n, md5(string_agg(${row}, ',' order by ${row} collate "C")) as rows from ${t} x`,
      );
      state[t] = rows[0];
    }
    const asked = {
      indexes: "select indexdef from pg_indexes where schemaname like 'granary%' order by 1",
      constraints: `select conrelid::regclass::text, conname, pg_get_constraintdef(c.oid) from pg_constraint c
        join pg_namespace n on n.oid = c.connamespace where ${own} and contype <> 'n' order by 1, 2`,
      sequences:
        "select schemaname, sequencename, last_value from pg_sequences where schemaname like 'granary%' order by 1, 2",
    };
    for (const [name, text] of Object.entries(asked)) state[name] = (await client.query(text)).rows;
    return state;
  } finally {
    await client.end();
  }
}
