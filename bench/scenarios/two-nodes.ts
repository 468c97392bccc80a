import { finisher, startServer } from '../support/finish-items.ts';
import { Items, type Order } from '../support/items.ts';
import { drive } from '../support/load.ts';
import { lengthOf, roundsOf } from '../support/pace.ts';
import type { Finding, Scenario } from '../support/scenario.ts';
import { median, rate } from '../support/statistics.ts';

const clients = 32;
const rounds = roundsOf(5);
const roundLength = lengthOf(3000);
const size = { jobs: 1000, itemsInAJob: 1000 };

export const twoNodes: Scenario = {
  name: 'two-nodes',
  summary: `${clients} connections finish items with proc_UpdateSucceededItem: all at one node, or half of them at each of two on the same PostgreSQL.`,
  isOfPostgres: true,
  async run(bench) {
    await using first = await startServer(bench, size);
    await using second = await first.another();
    const items = new Items(size);
    const open = (server: typeof first, count: number) =>
      Promise.all(Array.from({ length: count }, () => finisher(server, items)));
    const one = await open(first, clients);
    const two = [...(await open(first, clients / 2)), ...(await open(second, clients / 2))];
    const findings: Finding[] = [];
    for (const order of ['as handed out', 'at random'] as const) {
      const rates = { one: [] as number[], two: [] as number[] };
      for (let round = 0; round <= rounds; round++) {
        const [alone, together] = [await rateOf(one, order), await rateOf(two, order)];
        bench.progress(`${order}: one node ${rate(alone)}, two nodes ${rate(together)}`);
        // The first round only warms up.
        if (round === 0) continue;
        rates.one.push(alone);
        rates.two.push(together);
      }
      findings.push({
        what: `items ${order}, two nodes together against one`,
        figure: rate(median(rates.two)),
        against: rate(median(rates.one)),
        value: median(rates.two) / median(rates.one),
        unit: 'times',
        demand: { atLeast: 1 },
      });
    }
    return findings;
  },
};

async function rateOf(callers: Awaited<ReturnType<typeof finisher>>[], order: Order): Promise<number> {
  const { callsPerSecond } = await drive(
    callers.map((caller) => caller(order)),
    roundLength,
  );
  return callsPerSecond;
}
