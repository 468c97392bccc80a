import type { Finding } from './scenario.ts';
import type { BenchServer } from './server.ts';
import { count, median, rate } from './statistics.ts';

/** What it took to crawl some documents. */
export interface Round {
  readonly documents: number;
  readonly seconds: number;
  /** Seconds of the processor, of the server and its PostgreSQL. */
  readonly processor: number;
}

/** Crawls so many documents and tells what it took. */
export async function crawlRound(server: BenchServer, documents: number, work: () => Promise<void>): Promise<Round> {
  const [start, used] = [performance.now(), await server.processor()];
  await work();
  return { documents, seconds: (performance.now() - start) / 1000, processor: (await server.processor()) - used };
}

const speed = ({ documents, seconds }: Round): number => documents / seconds;
const cost = ({ documents, processor }: Round): number => (processor * 1e6) / documents;
const microseconds = (value: number): string => `${count(value)} µs`;

export const inWords = (round: Round): string =>
  `${rate(speed(round))}, ${microseconds(cost(round))} of the processor each`;

/** How much slower and dearer a crawl is in some rounds than in others, by their medians. */
export function growth(what: string, before: readonly Round[], after: readonly Round[]): Finding[] {
  const speeds = [median(before.map(speed)), median(after.map(speed))] as const;
  const costs = [median(before.map(cost)), median(after.map(cost))] as const;
  return [
    {
      what: `documents a second ${what}`,
      figure: rate(speeds[1]),
      against: rate(speeds[0]),
      value: speeds[0] / speeds[1],
      unit: 'times',
      demand: { atMost: 1.3 },
    },
    {
      what: `the processor’s time a document ${what}`,
      figure: microseconds(costs[1]),
      against: microseconds(costs[0]),
      value: costs[1] / costs[0],
      unit: 'times',
    },
  ];
}
