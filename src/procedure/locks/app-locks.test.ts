import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AppLocks, type LockMode, type LockOwner } from './app-locks.ts';

const never = new AbortController().signal;
const session = (spid: number): LockOwner => ({ spid, scope: 'Session' });
const named = (name: string) => ({ database: 'Sample', principal: 'public', name });
const ask = (locks: AppLocks, name: string, spid: number, mode: LockMode, timeout = -1, signal = never) =>
  locks.acquire(named(name), { owner: session(spid), mode, timeout }, signal);

describe('application locks', () => {
  test('one session holds a resource exclusively; the next waits until it is given back', async () => {
    const locks = new AppLocks();
    assert.equal(await ask(locks, 'a', 51, 'Exclusive'), 'granted');
    const second = ask(locks, 'a', 52, 'Exclusive');
    assert.equal(await ask(locks, 'a', 53, 'Shared', 0), 'timed out');
    assert.ok(locks.release(named('a'), session(51)));
    assert.equal(await second, 'granted after waiting');
  });

  test('modes that go together are held together, and others are not', async () => {
    const together: readonly [LockMode, LockMode, boolean][] = [
      ['Shared', 'Shared', true],
      ['Shared', 'Update', true],
      ['Update', 'Update', false],
      ['Update', 'Shared', true],
      ['IntentShared', 'IntentExclusive', true],
      ['IntentExclusive', 'IntentExclusive', true],
      ['IntentExclusive', 'Shared', false],
      ['IntentShared', 'Exclusive', false],
    ];
    for (const [held, wanted, granted] of together) {
      const locks = new AppLocks();
      await ask(locks, 'a', 51, held);
      assert.equal(await ask(locks, 'a', 52, wanted, 0), granted ? 'granted' : 'timed out', `${wanted} beside ${held}`);
    }
  });

  test('a session takes the same lock again without waiting, and gives it back as often', async () => {
    const locks = new AppLocks();
    assert.equal(await ask(locks, 'a', 51, 'Exclusive'), 'granted');
    assert.equal(await ask(locks, 'a', 51, 'Shared'), 'granted');
    assert.ok(locks.release(named('a'), session(51)));
    assert.equal(await ask(locks, 'a', 52, 'Shared', 0), 'timed out');
    assert.ok(locks.release(named('a'), session(51)));
    assert.equal(locks.release(named('a'), session(51)), false);
    assert.equal(await ask(locks, 'a', 52, 'Shared', 0), 'granted');
  });

  test('nobody overtakes those who wait', async () => {
    const locks = new AppLocks();
    await ask(locks, 'a', 51, 'Shared');
    const writer = ask(locks, 'a', 52, 'Exclusive');
    assert.equal(await ask(locks, 'a', 53, 'Shared', 0), 'timed out');
    locks.release(named('a'), session(51));
    assert.equal(await writer, 'granted after waiting');
  });

  test('one that has a lock and wants a stronger one goes before those that have none', async () => {
    const locks = new AppLocks();
    await ask(locks, 'a', 51, 'Shared');
    await ask(locks, 'a', 52, 'Shared');
    const newcomer = ask(locks, 'a', 53, 'Exclusive');
    const stronger = ask(locks, 'a', 51, 'Exclusive');
    locks.releaseAll(session(52));
    assert.equal(await stronger, 'granted after waiting');
    locks.releaseAll(session(51));
    assert.equal(await newcomer, 'granted after waiting');
  });

  test('two that have a shared lock and both want it alone are a circle', async () => {
    const locks = new AppLocks();
    await ask(locks, 'a', 51, 'Shared');
    await ask(locks, 'a', 52, 'Shared');
    const first = ask(locks, 'a', 51, 'Exclusive');
    assert.equal(await ask(locks, 'a', 52, 'Exclusive'), 'deadlock');
    locks.releaseAll(session(52));
    assert.equal(await first, 'granted after waiting');
  });

  test('a wait ends at its time limit, and lets those behind through', async () => {
    const locks = new AppLocks();
    await ask(locks, 'a', 51, 'Shared');
    const writer = ask(locks, 'a', 52, 'Exclusive', 1);
    const reader = ask(locks, 'a', 53, 'Shared');
    assert.equal(await writer, 'timed out');
    assert.equal(await reader, 'granted after waiting');
  });

  test('a cancelled wait ends', async () => {
    const locks = new AppLocks();
    await ask(locks, 'a', 51, 'Exclusive');
    const cancel = new AbortController();
    const waiting = ask(locks, 'a', 52, 'Exclusive', -1, cancel.signal);
    cancel.abort();
    assert.equal(await waiting, 'cancelled');
    assert.equal(await ask(locks, 'a', 53, 'Exclusive', -1, AbortSignal.abort()), 'cancelled');
  });

  test('a circle of waits is refused to the one who would close it', async () => {
    const locks = new AppLocks();
    await ask(locks, 'a', 51, 'Exclusive');
    await ask(locks, 'b', 52, 'Exclusive');
    await ask(locks, 'c', 53, 'Exclusive');
    const first = ask(locks, 'b', 51, 'Exclusive');
    const second = ask(locks, 'c', 52, 'Exclusive');
    assert.equal(await ask(locks, 'a', 53, 'Exclusive'), 'deadlock');
    locks.releaseAll(session(53));
    assert.equal(await second, 'granted after waiting');
    locks.releaseAll(session(52));
    assert.equal(await first, 'granted after waiting');
  });

  test('the end of a transaction frees its locks and leaves the session’s', async () => {
    const locks = new AppLocks();
    const transaction: LockOwner = { spid: 51, scope: 'Transaction' };
    await locks.acquire(named('a'), { owner: transaction, mode: 'Exclusive', timeout: 0 }, never);
    await ask(locks, 'b', 51, 'Exclusive');
    locks.releaseAll(transaction);
    assert.equal(await ask(locks, 'a', 52, 'Exclusive', 0), 'granted');
    assert.equal(await ask(locks, 'b', 52, 'Exclusive', 0), 'timed out');
  });

  test('databases compare without regard to case, resources byte by byte', async () => {
    const locks = new AppLocks();
    const request = (spid: number) => ({ owner: session(spid), mode: 'Exclusive' as const, timeout: 0 });
    await locks.acquire({ database: 'Sample', principal: 'public', name: 'a' }, request(51), never);
    assert.equal(
      await locks.acquire({ database: 'SAMPLE', principal: 'PUBLIC', name: 'a' }, request(52), never),
      'timed out',
    );
    assert.equal(
      await locks.acquire({ database: 'Sample', principal: 'public', name: 'A' }, request(52), never),
      'granted',
    );
    assert.equal(
      await locks.acquire({ database: 'Other', principal: 'public', name: 'a' }, request(52), never),
      'granted',
    );
  });

  test('the list has those who hold and those who wait, and for whom', async () => {
    const locks = new AppLocks();
    await ask(locks, 'a', 51, 'Exclusive');
    const second = ask(locks, 'a', 52, 'Shared');
    const third = ask(locks, 'a', 53, 'Shared');
    assert.deepEqual(
      locks.list().map(({ owner, mode, status, blockedBy }) => [owner.spid, mode, status, blockedBy]),
      [
        [51, 'Exclusive', 'granted', undefined],
        [52, 'Shared', 'waiting', 51],
        [53, 'Shared', 'waiting', 51],
      ],
    );
    locks.releaseAll(session(51));
    assert.deepEqual(await Promise.all([second, third]), ['granted after waiting', 'granted after waiting']);
    locks.releaseAll(session(52));
    locks.releaseAll(session(53));
    assert.deepEqual(locks.list(), []);
  });

  test('the search for a circle looks at each of thousands who wait a few times only', async () => {
    const locks = new AppLocks();
    let looks = 0;
    const owner = (spid: number): LockOwner => ({
      scope: 'Session',
      get spid() {
        looks++;
        return spid;
      },
    });
    const resource = { database: 'Lab', principal: 'public', name: 'x' };
    const end = new AbortController();
    const take = (spid: number) =>
      locks.acquire(resource, { owner: owner(spid), mode: 'Exclusive', timeout: -1 }, end.signal);
    assert.equal(await take(1), 'granted');
    const waiting = Array.from({ length: 500 }, (_, at) => take(at + 2));
    looks = 0;
    waiting.push(take(1000));
    assert.ok(looks < 500 * 8, `${looks} looks at 500`);
    end.abort();
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['cancelled']));
  });

  test('a session holds 10,000 and all sessions of a login 20,000: the next is error 1204, and what is given back counts', async () => {
    const locks = new AppLocks();
    const take = (spid: number, name: string, login = 'low') =>
      locks.acquire(named(name), { owner: { ...session(spid), login }, mode: 'Exclusive', timeout: 0 }, never);
    const fill = async (spid: number) => {
      for (let count = 0; count < 10_000; count++) assert.equal(await take(spid, `${spid} ${count}`), 'granted');
    };
    await fill(51);
    await assert.rejects(take(51, 'one more'), { number: 1204 });
    await fill(52);
    await assert.rejects(take(53, 'one more'), { number: 1204 });
    assert.equal(await take(54, 'one more', 'other'), 'granted');
    assert.ok(locks.release(named('51 0'), session(51)));
    assert.equal(await take(53, 'again'), 'granted');
    await assert.rejects(take(53, 'one more again'), { number: 1204 });
  });
});
