import pg from 'pg';
import { ClientConnection } from '../../src/client/connection.ts';
import { hasActiveJobs } from '../../src/protocols/translation/has-active-jobs.ts';
import { translation } from '../../src/protocols/translation/kind.ts';
import { getJobStatus } from '../../src/protocols/word/get-job-status.ts';
import { word2 } from '../../src/protocols/word2/kind.ts';
import { callUnread } from '../support/calls.ts';
import { fillJobs } from '../support/fill/jobs.ts';
import { databaseOf } from '../support/fill/store.ts';
import { type Caller, drive, pick } from '../support/load.ts';
import { lengthOf, roundsOf } from '../support/pace.ts';
import { PostgresPeer } from '../support/postgres-peer.ts';
import type { Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { median, rate } from '../support/statistics.ts';
import { TrivialResponder } from '../support/trivial-responder.ts';

const clients = 32;
const rounds = roundsOf(5);
const roundLength = lengthOf(2000);
const size = { jobs: 1000, itemsInAJob: 1 };

/** What proc_HasActiveJobs asks of a database without an active job. */
const activeJobs = {
  name: 'has_active_jobs',
  text: `select count(*) as "Jobs" from jobs j where j.submitted = 1 and j.cancel_time is null
    and exists (select 1 from items i where i.job_key = j.job_key and i.stop_time is null)`,
};

export const readCalls: Scenario = {
  name: 'read-calls',
  summary: `${clients} connections call procedures that only read: one that finds nothing, and one that reads a job by its key.`,
  async run({ engine, profiles, progress }) {
    await using server = await BenchServer.start({
      engine,
      profiles,
      fill: async (store) => {
        // The database of translations stays empty.
        await fillJobs(await databaseOf(store, word2.firstDatabase), { ...size, state: 'in progress' });
      },
    });
    await using responder = await TrivialResponder.start();
    await using peer = await PostgresPeer.start({ jobs: 0, itemsInAJob: 0 });
    const open = (database: string) => Promise.all(Array.from({ length: clients }, () => server.open(database)));
    const [empty, filled] = [await open(translation.firstDatabase), await open(word2.firstDatabase)];
    const wire = await Promise.all(Array.from({ length: clients }, () => ClientConnection.open(responder.address)));
    const direct = await Promise.all(
      Array.from({ length: clients }, async () => {
        const client = new pg.Client({ connectionString: peer.url });
        await client.connect();
        return client;
      }),
    );
    const callers: Record<string, Caller[]> = {
      nothing: empty.map((each) => () => callUnread(each, hasActiveJobs, {})),
      'one job': filled.map(
        (each) => () => callUnread(each, getJobStatus, { JobId: BigInt(pick(size.jobs)), PartitionId: null }),
      ),
      'node-postgres': direct.map((each) => () => each.query(activeJobs)),
      'trivial responder': wire.map((each) => () => callUnread(each, hasActiveJobs, {})),
    };
    const rates: Record<string, number[]> = Object.fromEntries(Object.keys(callers).map((name) => [name, []]));
    for (let round = 0; round <= rounds; round++) {
      for (const [name, some] of Object.entries(callers)) {
        const { callsPerSecond } = await drive(some, roundLength);
        if (round > 0) rates[name]?.push(callsPerSecond);
      }
      progress(
        Object.entries(rates)
          .map(([name, all]) => `${name} ${rate(all.at(-1) ?? 0)}`)
          .join(', '),
      );
    }
    for (const client of direct) await client.end();
    const of = (name: string) => median(rates[name] ?? []);
    const compare = (what: string, name: string, against: string, atLeast?: number) => ({
      what: `${what}, against ${against}`,
      figure: rate(of(name)),
      against: rate(of(against)),
      value: of(name) / of(against),
      unit: 'times' as const,
      ...(atLeast === undefined ? {} : { demand: { atLeast } }),
    });
    return [
      compare('proc_HasActiveJobs where there is none', 'nothing', 'node-postgres', 1),
      compare('proc_HasActiveJobs where there is none', 'nothing', 'trivial responder'),
      compare('proc_GetJobStatus of one job', 'one job', 'trivial responder', engine === 'sqlite' ? 0.4 : undefined),
    ];
  },
};
