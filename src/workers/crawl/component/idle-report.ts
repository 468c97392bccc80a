import { crawlStatus } from '../../../protocols/search/crawls/crawl-status.ts';
import type { CrawlStore, Farm } from '../store/farm.ts';
import { adminStage, storeStage } from '../store/stages.ts';

/** Milliseconds after which an idle component reports so again, whatever the master has made of it meanwhile. */
const repeatedAfter = 2000;

/**
 * Reports whether a component has work. It is idle only when no store of the crawl has any left: a component that works
 * on an item of another store may find links for this one, and the crawl must not advance before they have arrived.
 */
export class IdleReport {
  readonly #component: number;
  readonly #crawl: number;
  readonly #store: CrawlStore;
  readonly #farm: Farm;
  #subStatus = 0;
  /** What was reported before this run is unknown. */
  #isBusy = false;
  #idleSaid = 0;

  constructor(component: number, crawl: number, store: CrawlStore, farm: Farm) {
    this.#component = component;
    this.#crawl = crawl;
    this.#store = store;
    this.#farm = farm;
  }

  /**
   * The current step of the crawl. When it changes, the server counts all components as busy, and idle ones have to
   * report again.
   */
  moveTo(subStatus: number): boolean {
    if (subStatus === this.#subStatus) return false;
    this.#subStatus = subStatus;
    this.#idleSaid = 0;
    return true;
  }

  /** Returns whether there may be something to take; before taking it, the component has reported that it is busy. */
  async mayTake(): Promise<boolean> {
    if (this.#isBusy) return true;
    if (await this.#isEmpty(this.#store)) return false;
    await this.#say(143);
    this.#isBusy = true;
    return true;
  }

  /** Called when the component holds nothing: reports it as idle if nothing is left anywhere. */
  async look(): Promise<void> {
    if (!this.#isBusy && Date.now() - this.#idleSaid < repeatedAfter) return;
    for (const store of await this.#farm.joined(this.#crawl)) if (!(await this.#isEmpty(store))) return;
    await this.#say(142);
    this.#isBusy = false;
    this.#idleSaid = Date.now();
  }

  async #isEmpty({ client }: CrawlStore): Promise<boolean> {
    return (await storeStage(client, 141, { CrawlID: this.#crawl })).status === crawlStatus.done;
  }

  async #say(stage: number): Promise<void> {
    await adminStage(this.#farm.admin, stage, { CrawlID: this.#crawl, ComponentID: this.#component });
  }
}
