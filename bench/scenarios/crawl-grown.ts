import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { Component } from '../support/crawl-component.ts';
import { crawlRound, growth, inWords, type Round } from '../support/crawl-rounds.ts';
import { fillCrawled } from '../support/fill/crawled.ts';
import { roundsOf, urlsOf } from '../support/pace.ts';
import type { Scenario } from '../support/scenario.ts';
import { startSized } from '../support/sized-server.ts';
import { count } from '../support/statistics.ts';

/** Documents that the stores hold already, and that each gets in a round. */
const sizes = { fresh: 10_000, grown: urlsOf(950_000) };
const inARound = 5000;
const rounds = 10;

export const crawlGrown: Scenario = {
  name: 'crawl-grown',
  summary: `A crawl into a store of ${count(sizes.grown)} documents and into one of ${count(sizes.fresh)}, ${count(inARound)} documents by turns: the end and the beginning of a long crawl side by side.`,
  isLarge: true,
  async run(bench) {
    const filling = { kind: searchCrawl.name, what: 'documents', fill: fillCrawled };
    await using server = await startSized(bench, sizes, filling);
    const fresh = await Component.begin(server, 'fresh');
    const grown = await Component.begin(server, 'grown');
    const crawled: { fresh: Round; grown: Round }[] = [];
    for (let at = 0; at <= roundsOf(rounds); at++) {
      const first = at * inARound;
      const round = {
        fresh: await crawlRound(server, inARound, () => fresh.round(sizes.fresh + first, inARound)),
        grown: await crawlRound(server, inARound, () => grown.round(sizes.grown + first, inARound)),
      };
      bench.progress(`fresh: ${inWords(round.fresh)}, grown: ${inWords(round.grown)}`);
      // The first of them compiles statements and fills caches.
      if (at > 0) crawled.push(round);
    }
    return growth(
      'into the large store, against the small one',
      crawled.map((round) => round.fresh),
      crawled.map((round) => round.grown),
    );
  },
};
