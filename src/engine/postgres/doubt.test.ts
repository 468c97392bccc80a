import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type pg from 'pg';
import { testPostgres } from '../../../test/support/engines.ts';
import { silentLog } from '../../base/log/log.ts';
import { historyNow } from './connect/open-session.ts';
import { Server } from './connect/server.ts';
import { assureKept } from './doubt.ts';
import { InDoubt, Unreachable } from './errors.ts';

const lost = new Error('the connection is gone');

/** Runs a transaction that has a number, ends it, and tells its number and the history that it belongs to. */
async function ended(client: pg.Client, how: 'commit' | 'rollback') {
  await client.query('begin');
  const { rows } = await client.query<{ id: string; history: string }>(
    `select pg_current_xact_id()::text as id, ${historyNow} as history`,
  );
  await client.query(how);
  assert.ok(rows[0]);
  return rows[0];
}

describe('whether a commit that was not answered was kept', () => {
  let server: Server;
  before(async () => {
    server = new Server({ url: await testPostgres(), log: silentLog, patience: 0 });
  });
  const after = (how: 'commit' | 'rollback') => server.once({ settings: {} }, ({ client }) => ended(client, how));

  test('it was, where the server says so of its own history', async () => {
    const { id, history } = await after('commit');
    await assureKept(server, id, history, lost);
  });

  test('another history may have given its number to another transaction: nobody knows', async () => {
    const { id, history } = await after('commit');
    await assert.rejects(assureKept(server, id, `${history} and later`, lost), InDoubt);
    await assert.rejects(assureKept(server, id, '', lost), InDoubt);
    await assert.rejects(assureKept(server, '', history, lost), InDoubt);
  });

  test('it was not, where it was rolled back or its number is not given yet, in any history', async () => {
    const { id, history } = await after('rollback');
    await assert.rejects(assureKept(server, id, history, lost), Unreachable);
    await assert.rejects(assureKept(server, id, 'another', lost), Unreachable);
    await assert.rejects(assureKept(server, `${BigInt(id) + 1_000_000_000n}`, history, lost), Unreachable);
  });
});
