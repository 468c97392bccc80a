import type { Client } from '../../src/client/client.ts';
import type { ClientConnection } from '../../src/client/connection.ts';
import { getNextDocIDChunk } from '../../src/protocols/search/crawls/get-next-doc-id-chunk.ts';
import { commitTransactions } from '../../src/protocols/search/gather/commit-transactions.ts';
import { crawl as crawlStage } from '../../src/protocols/search/gather/crawl.ts';
import { flushTemp0 } from '../../src/protocols/search/gather/flush-temp0.ts';
import { getNextCrawlBatch } from '../../src/protocols/search/gather/get-next-crawl-batch.ts';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { pack, transactionCommit } from '../../src/protocols/search/records/index.ts';
import { crawlColumns, crawlLinks, recordOf } from '../support/crawl-links.ts';
import { links } from '../support/link-rows.ts';
import { timeEach } from '../support/load.ts';
import type { Finding, Scenario } from '../support/scenario.ts';
import { BenchServer } from '../support/server.ts';
import { rate } from '../support/statistics.ts';

const documents = 1_000_000;
/** Links that are loaded and taken in before they are crawled; the first and the last such round are compared. */
const inARound = 10_000;
const batchSize = 100;
/** Rounds at either end that are compared. */
const compared = 5;
const CrawlID = 2;

export const crawl: Scenario = {
  name: 'crawl',
  summary: 'A crawl of 1,000,000 documents: links in bulk, taken in by 1000, handed out and committed by 100.',
  isLarge: true,
  async run({ engine, progress, profiles }) {
    await using server = await BenchServer.start({ engine, profiles });
    const component = new Component(
      await server.open(searchCrawl.firstDatabase),
      await server.connect(searchCrawl.firstDatabase),
      await server.connect(searchAdmin.firstDatabase),
    );
    await component.begin();
    const speeds: number[] = [];
    for (let first = 0; first < documents; first += inARound) {
      const start = performance.now();
      await component.round(first, inARound);
      speeds.push((inARound * 1000) / (performance.now() - start));
      if (speeds.length % 10 === 0) progress(`${first + inARound} documents, ${rate(speeds.at(-1) ?? 0)} documents`);
    }
    const another = await server.connect(searchCrawl.firstDatabase);
    await component.load(documents, inARound * 10);
    const waiting = new AbortController();
    const other = waits(another, waiting.signal);
    await component.flush();
    waiting.abort();
    return findings(speeds, Math.max(...(await other)));
  },
};

function findings(speeds: readonly number[], longestWait: number): Finding[] {
  const mean = (some: readonly number[]) => some.reduce((sum, value) => sum + value, 0) / some.length;
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
    {
      what: 'the longest call of another session while 100,000 links are taken in',
      figure: `${longestWait.toFixed(0)} ms`,
      against: '',
      value: longestWait,
      unit: 'ms',
      demand: { atMost: 100 },
    },
  ];
}

/** How long the calls of another session take meanwhile. */
async function waits(client: Client, until: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  const look = { ComponentID: 0, ProjectID: 1, CrawlType: 1, CrawlID, ContentSourceID: 1, ApplicationType: 0 };
  const call = () => client.call(crawlStage, { ...look, CrawlStage: 141, MiscInputData: 0 });
  while (!until.aborted) times.push(...(await timeEach(call, 1)));
  return times;
}

/** A crawl component that works as fast as it is answered. */
class Component {
  readonly #loader: ClientConnection;
  readonly #store: Client;
  readonly #admin: Client;

  constructor(loader: ClientConnection, store: Client, admin: Client) {
    this.#loader = loader;
    this.#store = store;
    this.#admin = admin;
  }

  async begin(): Promise<void> {
    const nothing = { ProjectID: 1, CrawlType: 1, CrawlID, ContentSourceID: 1, ApplicationType: 0, MiscInputData: 0 };
    await this.#store.call(crawlStage, { ...nothing, ComponentID: 0, CrawlStage: 93 });
  }

  async round(first: number, count: number): Promise<void> {
    await this.load(first, count);
    await this.flush();
    while ((await this.#crawlBatch()) > 0);
  }

  async load(first: number, count: number): Promise<void> {
    const columns = crawlColumns.map(({ name, type }) => `${name} ${type.declaration}`).join(', ');
    await this.#loader.batch(`insert bulk ${links.name} (${columns})`);
    await this.#loader.bulkLoad(crawlColumns, crawlLinks(CrawlID, first, count));
  }

  async flush(): Promise<void> {
    let chunk = { NextDocID: 0, MaxDocID: 0 };
    for (;;) {
      const { outcome, output } = await this.#store.call(flushTemp0, {
        ComponentID: 0,
        FlushProjectID: 1,
        FlushCrawlID: CrawlID,
        LogDiscoveredLinks: 0,
        ApplicationType: 1,
        ...chunk,
      });
      chunk = { NextDocID: 0, MaxDocID: 0 };
      if (outcome === 'outOfIdentifiers') chunk = await this.#moreIdentifiers(output.MaxDocID ?? 0);
      else if (outcome === 'failed') throw new Error('links were not taken in');
      else if (output.MoreLinks !== true) return;
    }
  }

  async #moreIdentifiers(greatest: number) {
    const { output } = await this.#admin.call(getNextDocIDChunk, { GthrDBID: 0, CurrentMaxDocID: greatest });
    return { NextDocID: output.NewNextDocID ?? 0, MaxDocID: output.NewMaxDocID ?? 0 };
  }

  async #crawlBatch(): Promise<number> {
    const asked = { ComponentID: 0, ProjectID: 1, CrawlID, BatchSize: batchSize };
    const { sets } = await this.#store.call(getNextCrawlBatch, asked);
    if (sets.items.length === 0) return 0;
    const packed = pack(transactionCommit, sets.items.map(recordOf));
    await this.#store.call(commitTransactions, {
      ComponentID: 0,
      ApplicationType: 0,
      DocRows: packed.rows,
      DocFixedSize: transactionCommit.length,
      DocFixedBlob: packed.records,
      DocStrings: packed.text,
      DocBlobs: packed.bytes,
    });
    return sets.items.length;
  }
}
