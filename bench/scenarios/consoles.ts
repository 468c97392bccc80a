import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getJobStatus } from '../../src/protocols/word/get-job-status.ts';
import { word2 } from '../../src/protocols/word2/kind.ts';
import { callUnread } from '../support/calls.ts';
import { fillJobs } from '../support/fill/jobs.ts';
import { databaseOf } from '../support/fill/store.ts';
import { type Caller, drive, pick } from '../support/load.ts';
import { lengthOf, roundsOf } from '../support/pace.ts';
import type { Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { median, rate } from '../support/statistics.ts';

const clients = 32;
const pairs = roundsOf(12);
const roundLength = lengthOf(5000);
const size = { jobs: 1000, itemsInAJob: 20 };

const program = new URL('../support/consoles-process.ts', import.meta.url);

/** Tells the process of the consoles to open or to close them, and waits until it has. */
async function tell(consoles: ChildProcess, word: 'open' | 'close'): Promise<void> {
  const done = once(consoles, 'message');
  consoles.send(word);
  await done;
}

export const consoles: Scenario = {
  name: 'consoles',
  summary: `${clients} connections ask for jobs while ten consoles are open (three overviews, two wires, sessions, four pages of jobs), against none.`,
  async run({ engine, profiles, progress }) {
    await using server = await BenchServer.start({
      engine,
      profiles,
      fill: async (store) => fillJobs(await databaseOf(store, word2.firstDatabase), { ...size, state: 'in progress' }),
    });
    const { url } = JSON.parse(await readFile(join(server.data, 'http.json'), 'utf8'));
    const { password = '' } = server.address('master');
    const watching = fork(program, [url, password, word2.firstDatabase]);
    const connections = await Promise.all(Array.from({ length: clients }, () => server.open(word2.firstDatabase)));
    const callers: Caller[] = connections.map(
      (each) => () => callUnread(each, getJobStatus, { JobId: BigInt(pick(size.jobs)), PartitionId: null }),
    );
    const measured = async (word: 'open' | 'close') => {
      await tell(watching, word);
      return (await drive(callers, roundLength)).callsPerSecond;
    };
    // The first calls, and the first consoles, load and compile what all later ones use.
    for (const word of ['close', 'open', 'close', 'open'] as const) await measured(word);
    const found: { readonly open: number; readonly close: number }[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      // Each comes first as often as the other, since a machine gets faster or slower by itself.
      const first = pair % 2 === 0 ? await measured('close') : undefined;
      const open = await measured('open');
      const close = first ?? (await measured('close'));
      found.push({ open, close });
      progress(`${rate(close)} alone, ${rate(open)} with ten consoles: ${(open / close).toFixed(3)}`);
    }
    watching.disconnect();
    return [
      {
        what: 'proc_GetJobStatus with ten consoles open, against none',
        figure: rate(median(found.map(({ open }) => open))),
        against: rate(median(found.map(({ close }) => close))),
        value: median(found.map(({ open, close }) => open / close)),
        unit: 'times',
        demand: { atLeast: 0.95 },
      },
    ];
  },
};
