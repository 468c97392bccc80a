import type { Client } from '../../src/client/client.ts';
import type { ClientConnection } from '../../src/client/connection.ts';
import { getNextDocIDChunk } from '../../src/protocols/search/crawls/get-next-doc-id-chunk.ts';
import { crawl as crawlStage } from '../../src/protocols/search/gather/crawl.ts';
import { flushTemp0 } from '../../src/protocols/search/gather/flush-temp0.ts';
import { getNextCrawlBatch } from '../../src/protocols/search/gather/get-next-crawl-batch.ts';
import { searchAdmin } from '../../src/protocols/search/kinds/search-admin.ts';
import { searchCrawl } from '../../src/protocols/search/kinds/search-crawl.ts';
import { commitItems } from '../../src/workers/crawl/store/commit-items.ts';
import { crawlColumns, crawlLinks, recordOf } from './crawl-links.ts';
import { links } from './link-rows.ts';
import type { BenchServer } from './server.ts';

const batchSize = 100;
const CrawlID = 2;

/** A crawl component that works as fast as it is answered. */
export class Component {
  readonly #loader: ClientConnection;
  readonly #store: Client;
  readonly #admin: Client;

  private constructor(loader: ClientConnection, store: Client, admin: Client) {
    this.#loader = loader;
    this.#store = store;
    this.#admin = admin;
  }

  /** The component of a crawl store, the server's first one unless another is named, ready to work. */
  static async begin(server: BenchServer, name = searchCrawl.firstDatabase): Promise<Component> {
    const store = await server.connect(name);
    const admin = await server.connect(searchAdmin.firstDatabase);
    const nothing = { ProjectID: 1, CrawlType: 1, CrawlID, ContentSourceID: 1, ApplicationType: 0, MiscInputData: 0 };
    await store.call(crawlStage, { ...nothing, ComponentID: 0, CrawlStage: 93 });
    return new Component(await server.open(name), store, admin);
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
    await commitItems(this.#store, 0, sets.items.map(recordOf));
    return sets.items.length;
  }
}
