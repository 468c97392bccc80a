import type { ClientConnection } from '../../src/client/connection.ts';
import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { CopyPeer } from '../support/copy-peer.ts';
import { linkColumns, linkRows, links } from '../support/link-rows.ts';
import { timeOf } from '../support/load.ts';
import { growthWhile } from '../support/memory-watch.ts';
import type { Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { median, megabytes, rate } from '../support/statistics.ts';

/** Rows of a load whose speed counts, of the first one, which does not, and of the one whose memory does. */
const measured = 200_000;
const warmUp = 50_000;
const large = 1_000_000;
const rounds = 3;

export const bulkLoad: Scenario = {
  name: 'bulk-load',
  summary: 'Links loaded in bulk into the table that clients fill, and the same rows by COPY through node-postgres.',
  async run({ engine, progress, profiles }) {
    await using peer = await CopyPeer.start();
    await using server = await BenchServer.start({ engine, profiles });
    const connection = await server.open(searchCrawl.firstDatabase);
    await load(connection, warmUp);
    await peer.copy(linkRows(warmUp));
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push((measured / (await timeOf(() => load(connection, measured)))) * 1000);
      await peer.empty();
      theirs.push((measured / (await timeOf(() => peer.copy(linkRows(measured))))) * 1000);
      progress(`${rate(ours.at(-1) ?? 0)} rows, COPY ${rate(theirs.at(-1) ?? 0)}`);
    }
    const before = server.memory();
    const growth = await growthWhile(server, before, () => load(connection, large));
    return [
      {
        what: 'rows a second of a bulk load',
        figure: rate(median(ours)),
        against: `${rate(median(theirs))} by COPY`,
        value: median(ours) / median(theirs),
        unit: 'times',
        demand: { atLeast: 0.7 },
      },
      {
        what: 'growth while 1,000,000 rows come in',
        figure: megabytes(before + growth),
        against: megabytes(before),
        value: growth / 1024 ** 2,
        unit: 'MB',
        demand: { atMost: 64 },
      },
    ];
  },
};

async function load(connection: ClientConnection, count: number): Promise<void> {
  const columns = linkColumns.map(({ name, type }) => `${name} ${type.declaration}`).join(', ');
  await connection.batch(`insert bulk ${links.name} (${columns})`);
  await connection.bulkLoad(linkColumns, linkRows(count));
}
