import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../../src/base/clock.ts';
import type { TestClient } from '../../../support/client.ts';
import { forEachEngine } from '../../../support/engines.ts';
import { guid } from '../farm.ts';
import { sharedFarm } from '../shared-farm.ts';
import { ask, minute, release } from './lock-calls.ts';

const timeout = 1;
const jobs = [1, 2, 3].map((number) => guid('b3', number));

/** Who believes to hold which job, since the moment before it asked; fails when two live ones believe the same. */
class Believers {
  readonly #clock: ManualClock;
  readonly #leases = new Map<string, { readonly server: string; readonly asked: number; alive: boolean }>();
  /** How often each job was run, and by how many servers. */
  readonly runs = new Map<string, string[]>();
  overtaken = 0;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  granted(job: string, server: string, asked: number, status: number): void {
    const present = this.#leases.get(job);
    const now = this.#clock.now().getTime();
    if (present !== undefined && present.server !== server) {
      const valid = now - present.asked < timeout * minute;
      assert.ok(!(valid && present.alive), `${server} was given ${job} while ${present.server} had it`);
      if (status === 3) this.overtaken++;
    }
    this.#leases.set(job, { server, asked, alive: true });
    this.runs.set(job, [...(this.runs.get(job) ?? []), server]);
  }

  /** Whether it was a contest: every job went through several hands, and an expired lock was overtaken. */
  get sawEnough(): boolean {
    return this.overtaken > 0 && jobs.every((job) => new Set(this.runs.get(job)).size > 2);
  }

  /** Called before the lock is given back: from here on its holder does not count on it. */
  letGo(job: string, server: string): void {
    if (this.#leases.get(job)?.server === server) this.#leases.delete(job);
  }

  died(server: string): void {
    for (const lease of this.#leases.values()) if (lease.server === server) lease.alive = false;
  }

  holds(job: string, server: string): boolean {
    const lease = this.#leases.get(job);
    return lease?.server === server && this.#clock.now().getTime() - lease.asked < timeout * minute;
  }
}

/** A sequence that looks random and is the same at every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed * 2654435761 + 1;
  return (sides) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * sides);
  };
}

/** Cuts the connection as a process that is killed does, with a request perhaps under way. */
function kill(client: TestClient): void {
  client.connection.close();
}

async function compete(client: TestClient, number: number, believers: Believers, clock: ManualClock): Promise<void> {
  const server = guid('f3', number);
  const roll = dice(number);
  const diesAt = number % 3 === 0 ? 6 + roll(8) : Number.POSITIVE_INFINITY;
  for (let round = 0; round < 25 || (round < 500 && !believers.sawEnough); round++) {
    const job = jobs[roll(jobs.length)] ?? '';
    if (round >= diesAt) {
      believers.died(server);
      const last = ask(client, server, timeout, job);
      kill(client);
      await assert.rejects(last, /Connection closed before request completed/);
      return;
    }
    const asked = clock.now().getTime();
    const [status] = await ask(client, server, timeout, job);
    // A client that learns of its lock when the lease is over does not count on it.
    const inTime = clock.now().getTime() - asked < timeout * minute;
    if ((status === 2 || status === 3) && inTime) {
      believers.granted(job, server, asked, status);
      if (roll(3) > 0 && believers.holds(job, server)) {
        believers.letGo(job, server);
        await release(client, server, roll(2) === 0, job);
      }
    }
    clock.advance(roll(4) * 500);
  }
}

forEachEngine((engine) => {
  const withFarm = sharedFarm(engine);

  test('MS-WSSCFGD2 3.1.5.2: no two live clients hold a lock at once while 20 compete and a third is killed', async () => {
    const clock = new ManualClock();
    const believers = new Believers(clock);
    await withFarm(async (_, { connect }) => {
      const farms = await Promise.all(Array.from({ length: 20 }, connect));
      await Promise.all(farms.map(({ client }, number) => compete(client, number + 1, believers, clock)));
      assert.ok(believers.sawEnough, 'the contest was none');
    }, clock);
  });
});
