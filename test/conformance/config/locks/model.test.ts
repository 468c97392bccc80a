import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../../../src/base/clock.ts';
import { deleteAllMarkedTimerLocks } from '../../../../src/protocols/config/locks/delete-all-marked-timer-locks.ts';
import { deleteAllTimerLocksAndRunningJobs } from '../../../../src/protocols/config/locks/delete-all-timer-locks-and-running-jobs.ts';
import { refreshAllTimerLocks } from '../../../../src/protocols/config/locks/refresh-all-timer-locks.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { guid } from '../farm.ts';
import { sharedFarm } from '../shared-farm.ts';
import { told } from '../told.ts';
import { ask, minute, release } from './lock-calls.ts';

interface Held {
  server: number;
  since: number;
  marked: boolean;
}

/** The rules of 3.1.5.2, .6, .7, .10 and .57 on a map of job to holder. */
class Locks {
  readonly #held = new Map<number, Held>();

  ask(now: number, job: number, server: number, minutes: number): [status: number, expired: number | null] {
    const held = this.#held.get(job);
    if (held !== undefined && held.server !== server && !isExpired(held, now, minutes)) return [1, null];
    this.#held.set(job, { server, since: now, marked: false });
    if (held === undefined || held.server === server) return [2, null];
    return [3, held.marked ? null : held.server];
  }

  release(job: number, server: number | null, mark: boolean): number {
    const held = this.#held.get(job);
    if (held === undefined || (server !== null && held.server !== server)) return 31;
    if (mark) held.marked = true;
    else this.#held.delete(job);
    return 0;
  }

  refresh(now: number, server: number): void {
    for (const held of this.#held.values()) if (held.server === server && !held.marked) held.since = now;
  }

  clearMarked(now: number, minutes: number): void {
    this.#drop((held) => held.marked && isExpired(held, now, minutes));
  }

  clearServer(server: number): void {
    this.#drop((held) => held.marked && held.server === server);
  }

  #drop(gone: (held: Held) => boolean): void {
    for (const [job, held] of this.#held) if (gone(held)) this.#held.delete(job);
  }
}

/** Older than the timeout; every lock is older than 0 minutes, since it was taken by an earlier call. */
function isExpired(held: Held, now: number, minutes: number): boolean {
  return minutes === 0 || now - held.since > minutes * minute;
}

const job = fc.nat({ max: 2 });
const server = fc.nat({ max: 2 });
const minutes = fc.integer({ min: 0, max: 2 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('ask'), job, server, minutes }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('release'), job, by: fc.option(server), mark: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refresh'), server }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clearMarked'), minutes }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clearServer'), server }) },
  // Thirds of a minute, so that ages fall on the very timeout too.
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait'), thirds: fc.integer({ min: 1, max: 4 }) }) },
);
type Step = {
  do: string;
  job?: number;
  server?: number;
  minutes?: number;
  by?: number | null;
  mark?: boolean;
  thirds?: number;
};

/** Runs a step on the server and on the model, and compares what both say. */
async function both(client: TestClient, clock: ManualClock, model: Locks, run: number, step: Step): Promise<void> {
  const { job: of = 0, server: from = 0, minutes: limit = 0, by = null, mark = true, thirds = 0 } = step;
  // Locks of earlier runs are still there: each run has jobs and servers of its own.
  const jobId = guid('b2', run * 16 + of);
  const id = (number: number) => guid('f2', run * 16 + number);
  const now = clock.now().getTime();
  switch (step.do) {
    case 'ask': {
      const [status, expired] = model.ask(now, of, from, limit);
      assert.deepEqual(await ask(client, id(from), limit, jobId), [status, expired === null ? null : id(expired)]);
      break;
    }
    case 'release':
      assert.deepEqual(await release(client, by === null ? null : id(by), mark, jobId), [model.release(of, by, mark)]);
      break;
    case 'refresh':
      model.refresh(now, from);
      assert.deepEqual(told(await client.call(refreshAllTimerLocks, { ServerId: id(from) })), [0]);
      break;
    case 'clearMarked':
      model.clearMarked(now, limit);
      assert.deepEqual(told(await client.call(deleteAllMarkedTimerLocks, { LockTimeout: limit })), [0]);
      break;
    case 'clearServer': {
      model.clearServer(from);
      const clear = { ServerId: id(from), KeepPauseJobs: false };
      assert.deepEqual(told(await client.call(deleteAllTimerLocksAndRunningJobs, clear)), [0]);
      break;
    }
    default:
      clock.advance((thirds * minute) / 3);
  }
}

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 3.1.5.2: locks of several servers under a moving clock do what a model does', async () => {
    const clock = new ManualClock();
    await withFarm(async ({ client }) => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
          const model = new Locks();
          run++;
          for (const one of steps) await both(client, clock, model, run, one);
        }),
        { numRuns: engine === 'sqlite' ? 60 : 25 },
      );
    }, clock);
  });
});
