import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { getJobStatus } from '../../src/protocols/word/get-job-status.ts';
import { updateSucceededItem } from '../../src/protocols/word/update-succeeded-item.ts';
import { jobsExpire } from '../../src/protocols/word2/jobs-expire.ts';
import { word2 } from '../../src/protocols/word2/kind.ts';
import { callUnread } from '../support/calls.ts';
import { createdAt, fillJobs } from '../support/fill/jobs.ts';
import { databaseOf } from '../support/fill/store.ts';
import { type Caller, pick, timeOf } from '../support/load.ts';
import type { Bench, Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { median, time } from '../support/statistics.ts';

/** The first jobs are expired, others keep workers busy. */
const size = { jobs: 250, itemsInAJob: 1000 };
const expired = 100;
const rounds = 3;
const warmUp = 1500;
const quietTime = 4000;
/** How often upkeep is asked about, in milliseconds, and how long it may take. */
const pollInterval = 20;
const patience = 120_000;

export const expire: Scenario = {
  name: 'expire',
  // It looks into the file to see when upkeep is done.
  isOfSqlite: true,
  summary: 'How long a call waits at most while proc_JobsExpire deletes 100,000 items and upkeep removes their rows.',
  async run(bench) {
    const during: number[] = [];
    const without: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const longest = await measure(bench);
      bench.progress(`longest wait ${time(longest.during)}, without proc_JobsExpire ${time(longest.without)}`);
      during.push(longest.during);
      without.push(longest.without);
    }
    return [
      {
        what: 'longest wait of a read or a write beside it',
        figure: time(median(during)),
        against: `${time(median(without))} with nothing beside it`,
        value: median(during),
        unit: 'ms',
        demand: { atMost: 50 },
      },
    ];
  },
};

async function measure({ engine, profiles }: Bench): Promise<{ during: number; without: number }> {
  await using server = await BenchServer.start({
    engine,
    profiles,
    fill: async (engine) => {
      await fillJobs(await databaseOf(engine, word2.firstDatabase), { ...size, state: 'in progress' });
    },
  });
  const TimeThreshold = new Date(createdAt(expired + 0.5));
  const [reading, writing, expiring] = await Promise.all([1, 2, 3].map(() => server.open(word2.firstDatabase)));
  if (reading === undefined || writing === undefined || expiring === undefined) throw new Error('no connection');
  const other = () => BigInt(size.jobs - pick(expired));
  await using watch = new Watch([
    () => callUnread(reading, getJobStatus, { JobId: other(), PartitionId: null }),
    () => callUnread(writing, updateSucceededItem, { JobId: other(), GroupId: 1, ItemId: pick(size.itemsInAJob) }),
  ]);
  await delay(warmUp);
  const without = await watch.longestWhile(() => delay(quietTime));
  const call = await watch.longestWhile(() =>
    callUnread(expiring, jobsExpire, { TimeThreshold, AllPartitions: true, IncludeActiveJobs: true }),
  );
  using purges = new Purges(server.data);
  const all = purges.left();
  if (all !== expired) throw new Error(`${all} jobs were expired, not ${expired}`);
  // Upkeep rests at times, and what is waited for then is not its doing.
  await purges.until((left) => left < all);
  const upkeep = await watch.longestWhile(() => purges.until((left) => left === 0));
  return { during: Math.max(call, upkeep), without };
}

/** Makes calls without a pause, and tells how long the longest took while something went on. */
class Watch implements AsyncDisposable {
  readonly #loops: Promise<void>[];
  #longest = 0;
  #isOver = false;

  constructor(calls: readonly Caller[]) {
    this.#loops = calls.map((call) => this.#loop(call));
  }

  async longestWhile(something: () => Promise<unknown>): Promise<number> {
    this.#longest = 0;
    await something();
    return this.#longest;
  }

  async #loop(call: Caller): Promise<void> {
    while (!this.#isOver) {
      const took = await timeOf(call);
      this.#longest = Math.max(this.#longest, took);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }
}

/** The expired jobs whose rows upkeep has not removed yet: looked at from outside, in the file. */
class Purges implements Disposable {
  readonly #database: DatabaseSync;

  constructor(data: string) {
    const [file] = globSync(join(data, `${word2.firstDatabase.toLowerCase()}*.db`));
    if (file === undefined) throw new Error(`there is no file of ${word2.firstDatabase} in ${data}`);
    this.#database = new DatabaseSync(file, { readOnly: true });
  }

  left(): number {
    return Number(this.#database.prepare('select count(*) as jobs from purges').get()?.['jobs']);
  }

  async until(isReached: (left: number) => boolean): Promise<void> {
    for (const end = performance.now() + patience; performance.now() < end; await delay(pollInterval)) {
      if (isReached(this.left())) return;
    }
    throw new Error('upkeep did not come to an end');
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
