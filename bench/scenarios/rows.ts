import type { ClientConnection } from '../../src/client/connection.ts';
import { getItems } from '../../src/protocols/word/get-items.ts';
import { word2 } from '../../src/protocols/word2/kind.ts';
import { callUnread } from '../support/calls.ts';
import { fillJobs } from '../support/fill/jobs.ts';
import { databaseOf } from '../support/fill/store.ts';
import { timeOf } from '../support/load.ts';
import { growthWhile } from '../support/memory-watch.ts';
import type { Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { median, megabytes, rate } from '../support/statistics.ts';

const rows = 1_000_000;
const rounds = 3;

export const rowsOut: Scenario = {
  name: 'rows',
  summary: 'proc_GetItems returns one result set of 1,000,000 rows of six columns.',
  async run({ progress, profiles, engine }) {
    await using server = await BenchServer.start({
      engine,
      profiles,
      fill: async (engine) => {
        const database = await databaseOf(engine, word2.firstDatabase);
        await fillJobs(database, { jobs: 1, itemsInAJob: rows, state: 'in progress' });
      },
    });
    const connection = await server.open(word2.firstDatabase);
    const before = server.memory();
    const times: number[] = [];
    const growth = await growthWhile(server, before, async () => {
      for (let round = 0; round <= rounds; round++) times.push(await timeOf(() => read(connection)));
    });
    progress(times.map((each) => rate((rows / each) * 1000)).join(', '));
    const perSecond = (rows / median(times.slice(1))) * 1000;
    return [
      {
        what: 'growth while a million rows are sent',
        figure: `${rate(perSecond)} rows, ${megabytes(before + growth)}`,
        against: megabytes(before),
        value: growth / 1024 ** 2,
        unit: 'MB',
        demand: { atMost: 64 },
      },
    ];
  },
};

async function read(connection: ClientConnection): Promise<void> {
  const all = true;
  await callUnread(connection, getItems, {
    JobId: 1n,
    GroupId: 1,
    NotSubmitted: all,
    NotStarted: all,
    InProgress: all,
    Succeeded: all,
    Failed: all,
    Canceled: all,
  });
}
