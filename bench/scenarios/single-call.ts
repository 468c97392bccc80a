import { finisher, startServer } from '../support/finish-items.ts';
import { Items } from '../support/items.ts';
import { timeEach } from '../support/load.ts';
import { roundsOf } from '../support/pace.ts';
import { PostgresPeer } from '../support/postgres-peer.ts';
import type { Scenario } from '../support/scenario.ts';
import { median, quantile, time } from '../support/statistics.ts';

const size = { jobs: 100, itemsInAJob: 1000 };
const rounds = roundsOf(9);
const callsInARound = 1500;

export const singleCall: Scenario = {
  name: 'single-call',
  summary: 'One connection finishes one item after the other with proc_UpdateSucceededItem.',
  async run(bench) {
    await using server = await startServer(bench, size);
    await using peer = await PostgresPeer.start(size);
    const finish = await finisher(server, new Items(size));
    const theirs = await peer.caller();
    const callers = { granary: finish('as handed out'), postgres: theirs('as handed out') };
    const halves = { granary: [] as number[], postgres: [] as number[] };
    const tails = { granary: [] as number[], postgres: [] as number[] };
    for (let round = 0; round <= rounds; round++) {
      for (const name of ['granary', 'postgres'] as const) {
        const times = await timeEach(callers[name], callsInARound);
        if (round === 0) continue;
        halves[name].push(median(times));
        tails[name].push(quantile(times, 0.99));
      }
    }
    const [granary, postgres] = [median(halves.granary), median(halves.postgres)];
    const [slow, theirSlow] = [median(tails.granary), median(tails.postgres)];
    return [
      {
        what: 'p50 of a call, against node-postgres',
        figure: time(granary),
        against: time(postgres),
        value: granary / postgres,
        unit: 'times',
        demand: { atMost: bench.engine === 'sqlite' ? 1 : 1.5 },
      },
      {
        what: 'p99 of a call, against node-postgres',
        figure: time(slow),
        against: time(theirSlow),
        value: slow / theirSlow,
        unit: 'times',
        ...(bench.engine === 'sqlite' ? { demand: { atMost: 1.2 } } : {}),
      },
    ];
  },
};
