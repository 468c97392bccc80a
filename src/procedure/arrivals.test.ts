import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../base/clock.ts';
import { SqlError } from '../base/messages/sql-error.ts';
import { workingFor } from '../base/threads/rota.ts';
import type { Database } from '../engine/db.ts';
import { type Sql, sql } from '../engine/sql.ts';
import { Arrivals } from './arrivals.ts';

const never = new AbortController().signal;
const awaited = (): Sql => sql`select 1 as "One"`;

/** A database that has what is awaited when the test says so, and counts who asks. */
function fakeDatabase(name = 'Jobs') {
  const state = { isThere: false, looks: 0, fault: undefined as Error | undefined };
  const few = async () => {
    state.looks += 1;
    if (state.fault) throw state.fault;
    return state.isThere ? [[1]] : [];
  };
  // Nothing else of a database is asked for.
  return { state, database: { name, few } as unknown as Database };
}

/** Longer than any test takes. */
const long = 60_000;
const options = { clock: new ManualClock(), interval: long };

test('who waits is woken in the turn after something was brought, and everybody by one look', async () => {
  const arrivals = new Arrivals(options);
  const { state, database } = fakeDatabase();
  const waits = [1, 2, 3].map(() => arrivals.until(database, awaited, long, never));
  await new Promise(setImmediate);
  state.looks = 0;
  state.isThere = true;
  arrivals.wake('Jobs');
  await new Promise(setImmediate);
  assert.equal(arrivals.waiting, 0, 'one turn is enough');
  assert.equal(state.looks, 1);
  assert.deepEqual(await Promise.all(waits), [true, true, true]);
});

test('what is brought while a look is under way is not missed', async () => {
  const arrivals = new Arrivals(options);
  const { state, database } = fakeDatabase();
  const wait = arrivals.until(database, awaited, long, never);
  state.isThere = true;
  arrivals.wake('Jobs');
  assert.equal(await wait, true);
});

test('databases are woken apart', async () => {
  const arrivals = new Arrivals(options);
  const [one, other] = [fakeDatabase('One'), fakeDatabase('Other')];
  const cancel = new AbortController();
  const waits = [one, other].map(({ database }) => arrivals.until(database, awaited, long, cancel.signal));
  await new Promise(setImmediate);
  one.state.isThere = true;
  other.state.isThere = true;
  arrivals.wake('One');
  assert.equal(await waits[0], true);
  assert.equal(other.state.looks, 1);
  cancel.abort(new Error('cancelled'));
  await assert.rejects(Promise.resolve(waits[1]), /cancelled/);
  assert.equal(arrivals.waiting, 0);
});

test('a look is repeated for what other processes bring', async () => {
  const arrivals = new Arrivals({ ...options, interval: 1 });
  const { state, database } = fakeDatabase();
  const wait = arrivals.until(database, awaited, long, never);
  setTimeout(() => {
    state.isThere = true;
  }, 5);
  assert.equal(await wait, true);
  const looks = state.looks;
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(state.looks, looks, 'nobody looks when nobody waits');
});

test('one login has three quarters of the places at most: others may wait beside it', async () => {
  const arrivals = new Arrivals({ ...options, most: 8 });
  const { database } = fakeDatabase();
  const cancel = new AbortController();
  const wait = (login: string) => workingFor(login, () => arrivals.until(database, awaited, long, cancel.signal));
  const isFull = (error: unknown) => error instanceof SqlError && error.number === 50102;
  const greedy = Array.from({ length: 6 }, () => wait('greedy'));
  await assert.rejects(wait('greedy'), isFull);
  const others = [wait('other'), wait('third')];
  await assert.rejects(wait('fourth'), isFull);
  cancel.abort();
  await Promise.allSettled([...greedy, ...others]);
  assert.equal(arrivals.waiting, 0);
  const next = new AbortController();
  const again = workingFor('greedy', () => arrivals.until(database, awaited, long, next.signal));
  assert.equal(arrivals.waiting, 1, 'who has left leaves room');
  next.abort();
  await assert.rejects(again);
});

test('more than may wait are refused with 50102, and those who wait go on', async () => {
  const arrivals = new Arrivals({ ...options, most: 1 });
  const { state, database } = fakeDatabase();
  const wait = arrivals.until(database, awaited, long, never);
  await assert.rejects(
    arrivals.until(database, awaited, long, never),
    (error) => error instanceof SqlError && error.number === 50102,
  );
  state.isThere = true;
  arrivals.wake('Jobs');
  assert.equal(await wait, true);
});

test('a look that fails ends the waits with its error', async () => {
  const arrivals = new Arrivals(options);
  const { state, database } = fakeDatabase();
  const wait = arrivals.until(database, awaited, long, never);
  await new Promise(setImmediate);
  state.fault = new Error('gone');
  arrivals.wake('Jobs');
  await assert.rejects(wait, /gone/);
  assert.equal(arrivals.waiting, 0);
});

test('after it is closed nobody waits', async () => {
  const arrivals = new Arrivals(options);
  const { database } = fakeDatabase();
  const wait = arrivals.until(database, awaited, long, never);
  arrivals.close();
  assert.equal(await wait, false);
  assert.equal(await arrivals.until(database, awaited, long, never), false);
});
