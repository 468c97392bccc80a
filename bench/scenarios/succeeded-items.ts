import { finisher, startServer } from '../support/finish-items.ts';
import { Items, type Order } from '../support/items.ts';
import { drive } from '../support/load.ts';
import { lengthOf, roundsOf } from '../support/pace.ts';
import { PostgresPeer } from '../support/postgres-peer.ts';
import type { Bench, Finding, Scenario } from '../support/scenario.ts';
import { median, rate } from '../support/statistics.ts';

const clients = 32;
const rounds = roundsOf(5);
const roundLength = lengthOf(3000);
/** Enough that no item is finished twice while they are finished in order. */
const size = { jobs: 1000, itemsInAJob: 1000 };

export const succeededItems: Scenario = {
  name: 'succeeded-items',
  summary: `${clients} connections finish items with proc_UpdateSucceededItem, each call on disk before it is answered.`,
  async run(bench) {
    await using server = await startServer(bench, size);
    await using peer = await PostgresPeer.start(size);
    const items = new Items(size);
    const ours = await Promise.all(Array.from({ length: clients }, () => finisher(server, items)));
    const theirs = await Promise.all(Array.from({ length: clients }, () => peer.caller()));
    /** Calls a second of everybody, one after the other; undefined for a peer that is not installed. */
    const round = async (order: Order): Promise<Record<string, number | undefined>> => ({
      Granary: (
        await drive(
          ours.map((caller) => caller(order)),
          roundLength,
        )
      ).callsPerSecond,
      'pgbench -M prepared': await peer.pgbench(order, clients, roundLength),
      'node-postgres': (
        await drive(
          theirs.map((caller) => caller(order)),
          roundLength,
        )
      ).callsPerSecond,
    });
    const findings: Finding[] = [];
    for (const order of ['as handed out', 'at random'] as const) {
      const measured: Record<string, number | undefined>[] = [];
      for (let count = 0; count <= rounds; count++) {
        const rates = await round(order);
        bench.progress(`${order}: ${Object.entries(rates).map(shown).join(', ')}`);
        measured.push(rates);
      }
      // The first round only warms up.
      findings.push(...compared(order, measured.slice(1), demands[bench.engine][order]));
    }
    return findings;
  },
};

const shown = ([name, value]: [string, number | undefined]): string =>
  `${name} ${value === undefined ? 'is not installed' : rate(value)}`;

/** How many times a peer's rate is asked for: on SQLite the better peer's, on PostgreSQL that of its own driver. */
const demands: Record<Bench['engine'], Record<Order, { readonly peer?: string; readonly atLeast: number }>> = {
  sqlite: { 'as handed out': { atLeast: 3 }, 'at random': { atLeast: 2.2 } },
  postgres: {
    'as handed out': { peer: 'node-postgres', atLeast: 1 },
    'at random': { peer: 'node-postgres', atLeast: 1 },
  },
};

function compared(
  order: Order,
  rounds: readonly Record<string, number | undefined>[],
  { peer, atLeast }: { readonly peer?: string; readonly atLeast: number },
): Finding[] {
  const medians = Object.keys(rounds[0] ?? {}).flatMap((name) => {
    const rates = rounds.flatMap((each) => each[name] ?? []);
    return rates.length === 0 ? [] : [{ name, value: median(rates) }];
  });
  const [granary, ...peers] = medians;
  if (granary === undefined) throw new Error('nothing was measured');
  const best = Math.max(...peers.map(({ value }) => value));
  return peers.map(({ name, value }) => ({
    what: `items ${order}, against ${name}`,
    figure: rate(granary.value),
    against: rate(value),
    value: granary.value / value,
    unit: 'times',
    ...((peer === undefined ? value === best : name === peer) ? { demand: { atLeast } } : {}),
  }));
}
