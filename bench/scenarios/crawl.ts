import { Component } from '../support/crawl-component.ts';
import { crawlRound, growth, inWords, type Round } from '../support/crawl-rounds.ts';
import { urlsOf } from '../support/pace.ts';
import type { Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { count } from '../support/statistics.ts';

const documents = 1_000_000;
/** Links that are loaded and taken in before they are crawled. */
const inARound = 10_000;
/** Rounds that are told of together. */
const toldTogether = 5;

export const crawl: Scenario = {
  name: 'crawl',
  summary:
    'A crawl of 1,000,000 documents: links in bulk, taken in by 1000, handed out and committed by 100; its last tenth against its first after a warm-up.',
  isLarge: true,
  async run({ engine, progress, profiles }) {
    await using server = await BenchServer.start({ engine, profiles });
    const component = await Component.begin(server);
    const rounds: Round[] = [];
    for (let first = 0; first < urlsOf(documents); first += inARound) {
      const round = await crawlRound(server, inARound, () => component.round(first, inARound));
      rounds.push(round);
      if (rounds.length % toldTogether === 0) progress(`${count(first + inARound)} documents, ${inWords(round)}`);
    }
    const tenth = Math.max(1, Math.floor(rounds.length / 10));
    // The first round compiles statements and fills caches.
    return growth('in the last tenth of a crawl, against the first', rounds.slice(1, tenth + 1), rounds.slice(-tenth));
  },
};
