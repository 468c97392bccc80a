import { Component } from '../support/crawl-component.ts';
import { urlsOf } from '../support/pace.ts';
import type { Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { mean, rate } from '../support/statistics.ts';

const documents = 1_000_000;
/** Links that are loaded and taken in before they are crawled; the first and the last such round are compared. */
const inARound = 10_000;
/** Rounds at either end that are compared. */
const compared = 5;

export const crawl: Scenario = {
  name: 'crawl',
  summary: 'A crawl of 1,000,000 documents: links in bulk, taken in by 1000, handed out and committed by 100.',
  isLarge: true,
  async run({ engine, progress, profiles }) {
    await using server = await BenchServer.start({ engine, profiles });
    const component = await Component.begin(server);
    const speeds: number[] = [];
    for (let first = 0; first < urlsOf(documents); first += inARound) {
      const start = performance.now();
      await component.round(first, inARound);
      speeds.push((inARound * 1000) / (performance.now() - start));
      if (speeds.length % 5 === 0) progress(`${first + inARound} documents, ${rate(mean(speeds.slice(-5)))} documents`);
    }
    const [before, after] = [mean(speeds.slice(0, compared)), mean(speeds.slice(-compared))];
    return [
      {
        what: 'documents a second at the end of a crawl, against the beginning',
        figure: rate(after),
        against: rate(before),
        value: before / after,
        unit: 'times',
        demand: { atMost: 1.3 },
      },
    ];
  },
};
