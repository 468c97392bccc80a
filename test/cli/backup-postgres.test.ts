import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import { until } from '../robustness/support/until.ts';
import { newPostgresDatabase } from '../support/postgres-database.ts';
import { startServer } from '../support/server.ts';
import { kinds, must } from './backups.ts';
import { temporaryFolder } from './granary.ts';
import { runHere } from './run-here.ts';

async function connect(url: string, stack: AsyncDisposableStack): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  stack.defer(() => client.end());
  return client;
}

/** Takes a lock in a transaction that stays open. */
async function hold(url: string, statement: string, stack: AsyncDisposableStack): Promise<pg.Client> {
  const client = await connect(url, stack);
  await client.query('begin');
  await client.query(statement);
  return client;
}

/** Ends the session of a command as soon as it waits for a lock. */
async function endWhenItWaits(url: string, command: string, stack: AsyncDisposableStack): Promise<void> {
  const client = await connect(url, stack);
  await until('it was ended', async () => {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
      [command],
    );
    return rowCount === 1;
  });
}

describe('a PostgreSQL that fails a command', () => {
  test('a backup says in one line that the connection was lost, or what was refused, and leaves nothing', async () => {
    await using stack = new AsyncDisposableStack();
    const server = stack.use(await startServer({ engine: 'postgres', kinds }));
    const folder = stack.use(await temporaryFolder());
    const { data, engine } = server.granary.settings;
    await hold(engine, 'lock table granary_sharepoint_config.classes in access exclusive mode', stack);
    const file = join(folder.path, 'all.backup');
    const backup = (url: string) => runHere(['backup', file, '--tools', 'none', '--data', data, '--engine', url]);
    const [lost] = await Promise.all([backup(engine), endWhenItWaits(engine, 'granary backup', stack)]);
    assert.match(lost.stderr, /^granary: The connection to PostgreSQL was lost before the backup was complete: .*$/m);
    const refused = await backup(`${engine}?options=-c%20lock_timeout%3D100`);
    assert.match(
      refused.stderr,
      /^granary: PostgreSQL refused the backup: .*lock timeout\. Nothing of it was left\.$/m,
    );
    assert.deepEqual([lost.code, refused.code, existsSync(file)], [1, 1, false]);
  });

  test('a restore says in one line that the connection was lost, or what was refused, and nothing of it is there', async () => {
    await using stack = new AsyncDisposableStack();
    const server = stack.use(await startServer({ engine: 'postgres', kinds }));
    const folder = stack.use(await temporaryFolder());
    const file = join(folder.path, 'all.backup');
    const { data, engine } = server.granary.settings;
    await must(['backup', file, '--data', data, '--engine', engine]);
    const { url } = stack.use(await newPostgresDatabase());
    const client = await hold(url, 'create schema granary_sharepoint_config', stack);
    const restore = (to: string) => runHere(['restore', file, '--data', join(folder.path, 'data'), '--engine', to]);
    const [lost] = await Promise.all([restore(url), endWhenItWaits(url, 'granary restore', stack)]);
    assert.match(lost.stderr, /^granary: The connection to PostgreSQL was lost before the restore was confirmed: .*$/m);
    const refused = await restore(`${url}?options=-c%20lock_timeout%3D100`);
    assert.match(
      refused.stderr,
      /^granary: PostgreSQL refused what was to be restored: .*lock timeout\. What was there .*$/m,
    );
    assert.deepEqual([lost.code, refused.code], [1, 1]);
    await client.query('rollback');
    await must(['restore', file, '--data', join(folder.path, 'data'), '--engine', url]);
  });
});
