import { getNextDocIDChunk } from '../../../protocols/search/crawls/get-next-doc-id-chunk.ts';
import { flushTemp0 } from '../../../protocols/search/gather/flush-temp0.ts';
import { getNextCrawlBatch } from '../../../protocols/search/gather/get-next-crawl-batch.ts';
import { unloadTransactions } from '../../../protocols/search/gather/unload-transactions.ts';
import type { CrawlStore, Farm } from '../store/farm.ts';
import type { Item } from './item.ts';

/** The component may not work on the store: it was disabled. */
class ComponentDisabled extends Error {
  override readonly name = 'ComponentDisabled';
}

/** How a component takes items from its crawl store and returns them (the Document Processing Sequence of 3.2.5). */
export class StoreQueue {
  readonly #component: number;
  readonly #store: CrawlStore;
  readonly #farm: Farm;

  constructor(component: number, store: CrawlStore, farm: Farm) {
    this.#component = component;
    this.#store = store;
    this.#farm = farm;
  }

  /** Imports the waiting links; returns how many there were. */
  async flush(crawl: number, project: number, most = Number.POSITIVE_INFINITY): Promise<number> {
    let links = 0;
    let chunk = { NextDocID: 0, MaxDocID: 0 };
    for (;;) {
      const { outcome, output } = await this.#store.client.call(flushTemp0, {
        ComponentID: this.#component,
        FlushProjectID: project,
        FlushCrawlID: crawl,
        LogDiscoveredLinks: 0,
        ApplicationType: 1,
        ...chunk,
      });
      chunk = { NextDocID: 0, MaxDocID: 0 };
      if (outcome === 'failed') throw new ComponentDisabled(`Component ${this.#component} may not import links.`);
      if (outcome === 'outOfIdentifiers') chunk = await this.#moreIdentifiers(output.MaxDocID ?? 0);
      else {
        links += output.LinksProcessed ?? 0;
        if (output.MoreLinks !== true || links >= most) return links;
      }
    }
  }

  async #moreIdentifiers(greatest: number) {
    const asked = { GthrDBID: this.#store.ordinal, CurrentMaxDocID: greatest };
    const { output } = await this.#farm.admin.call(getNextDocIDChunk, asked, { idempotent: true });
    return { NextDocID: output.NewNextDocID ?? 0, MaxDocID: output.NewMaxDocID ?? 0 };
  }

  async take(
    crawl: number,
    project: number,
    size: number,
  ): Promise<{ readonly batch: bigint; readonly items: readonly Item[] }> {
    const asked = { ComponentID: this.#component, ProjectID: project, CrawlID: crawl, BatchSize: size };
    const { output, sets } = await this.#store.client.call(getNextCrawlBatch, asked);
    return { batch: output.BatchID ?? 0n, items: sets.items };
  }

  async giveBack(batch: bigint): Promise<void> {
    await this.#store.client.call(unloadTransactions, { ComponentID: this.#component, BatchID: batch });
  }
}
