import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { silentLog } from '../../base/log/log.ts';
import type { SessionHost } from '../session-host.ts';
import { IdleTransaction } from './idle-transaction.ts';

/** A session in a transaction that has written; it asks nothing else of its host. */
function sessionInTransaction() {
  const transactions = {
    count: 1,
    hasWritten: true,
    holdsSnapshot: false,
    async rollback() {
      transactions.count = 0;
    },
  };
  const undo = { *rollback() {} };
  const host = {
    transactions,
    identity: { spid: 51 },
    tempDb: { keepsAny: () => false, unlock() {} },
    state: { undo },
    options: { cursorCloseOnCommit: false },
    log: { lines: () => silentLog },
  } as unknown as SessionHost;
  return { transactions, idle: new IdleTransaction(host, 0) };
}

describe('a transaction that lasts for too long', () => {
  test('is told of by the request that it was ended with, and not again', async () => {
    const { transactions, idle } = sessionInTransaction();
    idle.begin();
    idle.expire();
    idle.told();
    idle.end();
    await idle.begin();
    assert.equal(transactions.count, 0);
    assert.equal(idle.takeNews(), undefined);
  });

  test('is told of at the next request, where the one that ran was over before it could be stopped', async () => {
    const { transactions, idle } = sessionInTransaction();
    idle.begin();
    idle.expire();
    idle.end();
    await idle.begin();
    assert.equal(transactions.count, 0);
    assert.equal(idle.takeNews()?.number, 3966);
    assert.equal(idle.takeNews(), undefined);
  });

  test('is told of once by a bulk load whose rest is still dropped', async () => {
    const { transactions, idle } = sessionInTransaction();
    idle.begin();
    idle.expire();
    // Nothing is done while the rest comes, and then the request tells why it failed.
    idle.end();
    await idle.begin();
    idle.told();
    idle.end();
    await idle.begin();
    assert.equal(transactions.count, 0);
    assert.equal(idle.takeNews(), undefined);
  });

  test('is told of also where an earlier one was told of by its request', async () => {
    const { transactions, idle } = sessionInTransaction();
    idle.begin();
    idle.expire();
    idle.told();
    idle.end();
    await idle.begin();
    idle.end();
    transactions.count = 1;
    idle.begin();
    idle.expire();
    idle.end();
    await idle.begin();
    assert.equal(idle.takeNews()?.number, 3966, 'what was told of the first transaction says nothing of the second');
  });

  test('is not told of, where the request that ran has ended it itself', async () => {
    const { transactions, idle } = sessionInTransaction();
    idle.begin();
    idle.expire();
    transactions.count = 0;
    idle.end();
    await idle.begin();
    assert.equal(idle.takeNews(), undefined);
  });
});
