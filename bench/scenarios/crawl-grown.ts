import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { Component } from '../support/crawl-component.ts';
import { fillCrawled } from '../support/fill/crawled.ts';
import { roundsOf, urlsOf } from '../support/pace.ts';
import type { Finding, Scenario } from '../support/scenario.ts';
import type { BenchServer } from '../support/server.ts';
import { startSized } from '../support/sized-server.ts';
import { count, median, rate } from '../support/statistics.ts';

/** Documents that the stores hold already, and that each gets in a round. */
const sizes = { fresh: 10_000, grown: urlsOf(950_000) };
const inARound = 5000;
const rounds = 10;

interface Round {
  readonly seconds: number;
  readonly processor: number;
}

export const crawlGrown: Scenario = {
  name: 'crawl-grown',
  summary: `A crawl into a store of ${count(sizes.grown)} documents and into one of ${count(sizes.fresh)}, ${count(inARound)} documents by turns: the end and the beginning of a long crawl side by side.`,
  isLarge: true,
  async run(bench) {
    await using server = await startSized(bench, sizes, {
      kind: searchCrawl.name,
      what: 'documents',
      fill: fillCrawled,
    });
    const crawled = { fresh: [] as Round[], grown: [] as Round[] };
    const names = ['fresh', 'grown'] as const;
    const components = { fresh: await Component.begin(server, 'fresh'), grown: await Component.begin(server, 'grown') };
    for (let at = -1; at < roundsOf(rounds); at++) {
      for (const name of names) {
        const first = sizes[name] + (at + 1) * inARound;
        const round = await timed(server, () => components[name].round(first, inARound));
        if (at >= 0) crawled[name].push(round);
      }
      if (at >= 0) bench.progress(names.map((name) => `${name}: ${inWords(crawled[name].at(-1))}`).join(', '));
    }
    return findings(crawled);
  },
};

async function timed(server: BenchServer, work: () => Promise<void>): Promise<Round> {
  const [start, used] = [performance.now(), await server.processor()];
  await work();
  return { seconds: (performance.now() - start) / 1000, processor: (await server.processor()) - used };
}

const inWords = (round: Round | undefined): string =>
  round === undefined
    ? ''
    : `${rate(inARound / round.seconds)}, ${microseconds(round.processor)} of the processor each`;

const microseconds = (seconds: number): string => `${count((seconds * 1e6) / inARound)} µs`;

function findings({ fresh, grown }: Readonly<Record<keyof typeof sizes, readonly Round[]>>): Finding[] {
  const of = (some: readonly Round[], what: keyof Round) => median(some.map((round) => round[what]));
  const [before, after] = [of(fresh, 'seconds'), of(grown, 'seconds')];
  const [usedBefore, usedAfter] = [of(fresh, 'processor'), of(grown, 'processor')];
  return [
    {
      what: 'documents a second into the large store, against the small one',
      figure: rate(inARound / after),
      against: rate(inARound / before),
      value: after / before,
      unit: 'times',
      demand: { atMost: 1.3 },
    },
    {
      what: 'the processor’s time a document, of the server and its PostgreSQL',
      figure: microseconds(usedAfter),
      against: microseconds(usedBefore),
      value: usedAfter / usedBefore,
      unit: 'times',
    },
  ];
}
