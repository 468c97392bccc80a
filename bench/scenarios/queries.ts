import { setTimeout as delay } from 'node:timers/promises';
import type { ClientConnection } from '../../src/client/connection.ts';
import { config } from '../../src/protocols/config/kind.ts';
import type { Place } from '../support/fill/store.ts';
import { fillHistory, nativePeer } from '../support/history.ts';
import { timeOf } from '../support/load.ts';
import { growthWhile } from '../support/memory-watch.ts';
import type { Bench, Finding, Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { median, megabytes } from '../support/statistics.ts';

/** How many rows there are; a short run has fewer. */
const rows = Number(process.env['GRANARY_BENCH_ROWS'] ?? 10_000_000);
/** Rounds at least and at most, and the milliseconds that they take in between. */
const rounds = 3;
const mostRounds = 2000;
const measured = 1500;
/** Rounds of empty calls before the memory is looked at. */
const warmUps = 4;
/** Milliseconds between two calls of the session that waits. */
const pauseBetweenCalls = 2;

/** A question as a client asks it, and as one would ask the engine. */
interface Question {
  readonly what: string;
  readonly asked: string;
  readonly native: string;
}

const middle = Math.floor(rows / 2);
const questions: readonly Question[] = [
  {
    what: 'count',
    asked: 'select count(*) from TimerJobHistory',
    native: 'select count(*) from job_history',
  },
  {
    what: 'group by',
    asked: 'select Status, count(*), max(EndTime) from TimerJobHistory group by Status',
    native: 'select status, count(*), max(end_time) from job_history group by status',
  },
  {
    what: 'top 100 by key',
    asked: 'select top 100 Id, Status, EndTime from TimerJobHistory order by Id desc',
    native: 'select id, status, end_time from job_history order by id desc limit 100',
  },
  {
    what: 'top 100 by time',
    asked: 'select top 100 Id, Status, EndTime from TimerJobHistory order by EndTime desc',
    native: 'select id, status, end_time from job_history where end_time is not null order by end_time desc limit 100',
  },
  {
    what: 'lookup by key',
    asked: `select Id, Status, EndTime, JobTitle from TimerJobHistory where Id = ${middle}`,
    native: `select id, status, end_time, job_title from job_history where id = ${middle}`,
  },
  {
    what: 'join by key',
    asked: `select count(*), max(b.EndTime) from TimerJobHistory a join TimerJobHistory b on b.Id = a.Id
      where a.Id between ${middle} and ${middle + rows / 10}`,
    native: `select count(*), max(b.end_time) from job_history a join job_history b on b.id = a.id
      where a.id between ${middle} and ${middle + rows / 10}`,
  },
];

export const queries: Scenario = {
  name: 'queries',
  summary: `Queries over a table of ${rows.toLocaleString('en')} rows, against the same statement in the engine itself plus an empty call.`,
  isLarge: true,
  async run({ engine, progress, profiles }) {
    await using server = await BenchServer.start({
      engine,
      profiles,
      fill: (store) => fillHistory(store, rows),
      kept: keptPlace(engine),
    });
    await using peer = await nativePeer(server, engine);
    const connection = await server.open(config.firstDatabase);
    const other = await server.open(config.firstDatabase);
    const findings: Finding[] = [];
    let longest = 0;
    // A server grows with its first thousands of calls, whatever they ask: V8's young generation does.
    for (let round = 0; round < warmUps; round++) await times(() => connection.batch('select 1'));
    const before = server.memory();
    const growth = await growthWhile(server, before, async () => {
      for (const { what, asked, native } of questions) {
        const empty = median(await times(() => connection.batch('select 1')));
        const ours = median(await times(() => connection.batch(asked)));
        const theirs = median(await times(() => peer.run(native)));
        const waits = waitsWhile(other);
        await connection.batch(asked);
        longest = Math.max(longest, await waits.stop());
        progress(
          `${what}: ${ours.toFixed(2)} ms, in the engine ${theirs.toFixed(2)} ms, an empty call ${empty.toFixed(2)} ms`,
        );
        findings.push({
          what,
          figure: `${ours.toFixed(2)} ms`,
          against: `${theirs.toFixed(2)} + ${empty.toFixed(2)} ms`,
          value: ours / (theirs + empty),
          unit: 'times',
          demand: { atMost: 1.5 },
        });
      }
    });
    return [
      ...findings,
      {
        what: 'growth meanwhile',
        figure: megabytes(before + growth),
        against: megabytes(before),
        value: growth / 1024 ** 2,
        unit: 'MB',
        demand: { atMost: 64 },
      },
      {
        what: 'longest wait of another session',
        figure: `${longest.toFixed(1)} ms`,
        against: `${questions.length} queries`,
        value: longest,
        unit: 'ms',
        demand: { atMost: 50 },
      },
    ];
  },
};

/** The place of an earlier run's rows, which take minutes to fill: GRANARY_BENCH_DATA, and of PostgreSQL its address too. */
function keptPlace(engine: Bench['engine']): Place | undefined {
  const { GRANARY_BENCH_DATA: data, GRANARY_BENCH_ADDRESS: address } = process.env;
  if (data === undefined) return undefined;
  if (engine === 'sqlite') return { data, engine };
  return address === undefined ? undefined : { data, engine: address };
}

/** How long something takes, again and again; what comes before it has run in for a while does not count. */
async function times(something: () => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  const end = performance.now() + 2 * measured;
  while (all.length < 2 * rounds || (performance.now() < end && all.length < 2 * mostRounds)) {
    all.push(await timeOf(something));
  }
  return all.slice(all.length / 2);
}

/** Calls on another session now and then, and tells how long the slowest took. */
function waitsWhile(connection: ClientConnection): { stop(): Promise<number> } {
  let isOver = false;
  let longest = 0;
  const calling = (async () => {
    while (!isOver) {
      longest = Math.max(longest, await timeOf(() => connection.batch('select 1')));
      await delay(pauseBetweenCalls);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await calling;
      return longest;
    },
  };
}
