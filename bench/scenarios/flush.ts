import { crawl } from '../../src/protocols/search/gather/crawl.ts';
import { getNextCrawlBatch } from '../../src/protocols/search/gather/get-next-crawl-batch.ts';
import { takeHostTurns } from '../../src/protocols/search/gather/take-host-turns.ts';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { searchProperty } from '../../src/protocols/search/kinds/search-property.ts';
import { setCrawlComponentStatus } from '../../src/protocols/search/properties/set-crawl-component-status.ts';
import { getConfigurationProperty } from '../../src/protocols/search/settings/get-configuration-property.ts';
import { Component } from '../support/crawl-component.ts';
import { type Caller, timeOf } from '../support/load.ts';
import { roundsOf } from '../support/pace.ts';
import type { Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { median, time } from '../support/statistics.ts';
import { longestWaits } from '../support/waits.ts';

const links = 100_000;
const warmUp = 100_000;
const rounds = 3;

export const flush: Scenario = {
  name: 'flush',
  summary: 'How long calls of other sessions wait at most while proc_MSS_FlushTemp0 takes in 100,000 links.',
  async run({ engine, progress, profiles }) {
    await using server = await BenchServer.start({ engine, profiles });
    const component = await Component.begin(server);
    const others = await sessions(server);
    await component.load(0, warmUp);
    await longestWaits(others, () => component.flush());
    const waited = new Map<string, number[]>();
    const took: number[] = [];
    for (let round = 0; round < roundsOf(rounds); round++) {
      await component.load(warmUp + round * links, links);
      await server.reuseLogFiles();
      const longest = await longestWaits(others, async () => took.push(await timeOf(() => component.flush())));
      progress(`in ${time(took.at(-1) ?? 0)}: ${[...longest].map(([name, ms]) => `${name} ${time(ms)}`).join(', ')}`);
      for (const [name, ms] of longest) waited.set(name, [...(waited.get(name) ?? []), ms]);
    }
    return [...waited].map(([name, each]) => ({
      what: `the longest wait of ${name}`,
      figure: time(Math.max(...each)),
      against: `${time(median(took))} for ${links.toLocaleString('en')} links`,
      value: Math.max(...each),
      unit: 'ms',
      demand: { atMost: 100 },
    }));
  },
};

/** Sessions of the same database and of others that read and write. */
async function sessions(server: BenchServer): Promise<Readonly<Record<string, Caller>>> {
  const reader = await server.connect(searchCrawl.firstDatabase);
  const writer = await server.connect(searchCrawl.firstDatabase);
  const taker = await server.connect(searchCrawl.firstDatabase);
  const admin = await server.connect(searchAdmin.firstDatabase);
  const properties = await server.connect(searchProperty.firstDatabase);
  const stage = { ComponentID: 0, ProjectID: 1, CrawlType: 1, CrawlID: 2, ContentSourceID: 1, ApplicationType: 0 };
  const another = { ComponentID: 0, ProjectID: 1, CrawlID: 3, BatchSize: 100 };
  const status = { ComponentID: 0, ModifiedByComponentID: 0, Status: 1 };
  return {
    'a call that reads': () => reader.call(crawl, { ...stage, CrawlStage: 141, MiscInputData: 0 }),
    'a call that writes': () => writer.call(takeHostTurns, { HostID: 7, Turns: 1, Interval: 0 }),
    'a call that asks for a batch of another crawl': () => taker.call(getNextCrawlBatch, another),
    'a read of another database': () => admin.call(getConfigurationProperty, { Name: 'nothing' }),
    'a write of another database': () => properties.call(setCrawlComponentStatus, status),
  };
}
