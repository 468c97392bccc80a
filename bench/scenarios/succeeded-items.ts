import { finisher, size, startServer } from '../support/finish-items.ts';
import { drive } from '../support/load.ts';
import { PostgresPeer } from '../support/postgres-peer.ts';
import type { Scenario } from '../support/scenario.ts';
import { median, rate } from '../support/statistics.ts';

const clients = 32;
const rounds = 5;
const roundLength = 4000;

export const succeededItems: Scenario = {
  name: 'succeeded-items',
  summary: `${clients} connections finish items with proc_UpdateSucceededItem, each call on disk before it is answered.`,
  async run(bench) {
    await using server = await startServer(bench);
    await using peer = await PostgresPeer.start(size);
    const ours = await Promise.all(Array.from({ length: clients }, () => finisher(server)));
    const theirs = await Promise.all(Array.from({ length: clients }, () => peer.caller()));
    const rates = { granary: [] as number[], pgbench: [] as number[], nodePostgres: [] as number[] };
    // The first round only warms up.
    for (let round = 0; round <= rounds; round++) {
      const granary = (await drive(ours, roundLength)).callsPerSecond;
      const pgbench = await peer.pgbench(clients, roundLength);
      const nodePostgres = (await drive(theirs, roundLength)).callsPerSecond;
      bench.progress(
        `granary ${rate(granary)}, pgbench ${pgbench ? rate(pgbench) : 'is not installed'}, node-postgres ${rate(nodePostgres)}`,
      );
      if (round === 0) continue;
      rates.granary.push(granary);
      rates.nodePostgres.push(nodePostgres);
      if (pgbench !== undefined) rates.pgbench.push(pgbench);
    }
    const peers = [
      { name: 'node-postgres', rates: rates.nodePostgres },
      ...(rates.pgbench.length > 0 ? [{ name: 'pgbench -M prepared', rates: rates.pgbench }] : []),
    ];
    const granary = median(rates.granary);
    const best = Math.max(...peers.map((each) => median(each.rates)));
    return peers.map((each) => {
      const theirs = median(each.rates);
      return {
        what: `${clients} connections, against ${each.name}`,
        figure: rate(granary),
        against: rate(theirs),
        value: granary / theirs,
        unit: 'times',
        // What is asked for counts against the better of the two.
        ...(theirs === best ? { demand: { atLeast: 2 } } : {}),
      };
    });
  },
};
