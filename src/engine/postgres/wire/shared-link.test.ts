import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pool } from '../connect/pool.ts';
import { SharedLink } from './shared-link.ts';

/**
 * Acts as a pool that opens one link after another; `isWanted` says whether another database waits for a connection.
 */
class TestPool {
  isWanted = false;
  readonly events: string[] = [];
  #count = 0;

  async take() {
    this.events.push(`taken ${++this.#count}`);
    return { broken: false, number: this.#count };
  }

  giveBack({ number }: { readonly number: number }): void {
    this.events.push(`given back ${number}`);
  }
}

test('transactions follow one another on one link until another database wants it: then it is released when they have ended', async () => {
  const pool = new TestPool();
  // A shared link uses nothing else of its pool.
  const shared = new SharedLink(pool as unknown as Pool);
  const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const use = (at: number) =>
    shared.use(async (_link, passOn) => {
      pool.events.push(`transaction ${at}`);
      passOn();
      await gates[at]?.promise;
      pool.events.push(`end ${at}`);
    });
  const settled = () => new Promise(setImmediate);
  const [first, second] = [use(0), use(1)];
  await settled();
  assert.deepEqual(pool.events, ['taken 1', 'transaction 0', 'transaction 1']);
  pool.isWanted = true;
  const third = use(2);
  await settled();
  assert.equal(pool.events.length, 3, 'earlier transactions have not ended');
  gates[0]?.resolve();
  gates[1]?.resolve();
  await settled();
  assert.deepEqual(pool.events.slice(3), ['end 0', 'end 1', 'given back 1', 'taken 2', 'transaction 2']);
  gates[2]?.resolve();
  await Promise.all([first, second, third]);
  assert.equal(pool.events.at(-1), 'given back 2');
});
