import { roundsOf } from '../support/pace.ts';
import { bullMQ } from '../support/queues/bullmq.ts';
import { granary } from '../support/queues/granary.ts';
import { graphileWorker } from '../support/queues/graphile-worker.ts';
import { pgBoss } from '../support/queues/pg-boss.ts';
import type { Item, Queue } from '../support/queues/queue.ts';
import type { Bench, Finding, Scenario } from '../support/scenario.ts';
import { median, rate } from '../support/statistics.ts';

const rounds = roundsOf(5);
const items = 20_000;
const demands: Record<Bench['engine'], number> = { sqlite: 1.5, postgres: 1 };

/** Items as a farm has them, about 120 bytes each. */
const listed: readonly Item[] = Array.from({ length: items }, (_, at) => ({
  input: `Documents/2026/Report ${at + 1} of the year.docx`,
  output: `Documents/2026/de/Report ${at + 1} of the year (German).docx`,
}));

/** Items a second. */
interface Rates {
  readonly enqueued: number[];
  readonly finished: number[];
}

export const queues: Scenario = {
  name: 'queues',
  summary: `The whole life of ${items.toLocaleString('en')} items, from added to finished, each step on disk; beside queues that people would pick instead.`,
  async run(bench) {
    const measured: { readonly name: string; readonly rates: Rates }[] = [];
    // One after another, so that none has the memory and the disk of another's server beside it.
    for (const open of [() => granary(bench), graphileWorker, pgBoss, bullMQ]) {
      await using queue = await open();
      if (queue === undefined) {
        bench.progress('Redis is not installed (Debian: redis-server)');
        continue;
      }
      bench.progress(`${queue.name}: ${queue.settings}`);
      measured.push({ name: queue.name, rates: await measure(queue, bench) });
    }
    return (['enqueued', 'finished'] as const).flatMap((what) => compared(what, measured, demands[bench.engine]));
  },
};

async function measure(queue: Queue, { progress }: Bench): Promise<Rates> {
  const rates: Rates = { enqueued: [], finished: [] };
  // The first round only warms up.
  for (let round = 0; round <= rounds; round++) {
    const enqueued = await rateOf(() => queue.enqueue(listed));
    const finished = await rateOf(() => queue.finish(items));
    progress(`${queue.name}: ${rate(enqueued)} enqueued, ${rate(finished)} finished`);
    if (round === 0) continue;
    rates.enqueued.push(enqueued);
    rates.finished.push(finished);
  }
  return rates;
}

async function rateOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (items * 1000) / (performance.now() - start);
}

function compared(
  what: keyof Rates,
  measured: readonly { readonly name: string; readonly rates: Rates }[],
  atLeast: number,
): Finding[] {
  const [own, ...peers] = measured.map(({ name, rates }) => ({ name, value: median(rates[what]) }));
  if (own === undefined) throw new Error('nothing was measured');
  const best = Math.max(...peers.map(({ value }) => value));
  return peers.map(({ name, value }) => ({
    what: `items ${what}, against ${name}`,
    figure: rate(own.value),
    against: rate(value),
    value: own.value / value,
    unit: 'times',
    ...(value === best ? { demand: { atLeast } } : {}),
  }));
}
