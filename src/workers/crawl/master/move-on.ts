import { crawlRequest, crawlStatus, project, subStatus } from '../../../protocols/search/crawls/crawl-status.ts';
import { getDocCount } from '../../../protocols/search/gather/get-doc-count.ts';
import { updateDocCount } from '../../../protocols/search/topology/update-doc-count.ts';
import type { Farm } from '../store/farm.ts';
import { adminStage, type StageInput, storeStage } from '../store/stages.ts';
import type { Beginning } from './begin.ts';
import type { ListedCrawl } from './listed-crawl.ts';
import { settleCounters } from './settle-counters.ts';
import { forgetCrawl, mayDeleteUnvisited } from './unvisited.ts';

/**
 * What the master does for crawls, one step at a time: each checks the status of the crawl, so that any master can
 * continue.
 */
export class MovingOn {
  readonly #farm: Farm;
  readonly #beginning: Beginning;
  /** When held crawls were last checked. */
  readonly #held = new Map<number, number>();

  constructor(farm: Farm, beginning: Beginning) {
    this.#farm = farm;
    this.#beginning = beginning;
  }

  /** Advances a crawl by one step, if possible. */
  async step(crawl: ListedCrawl, all: readonly ListedCrawl[]): Promise<void> {
    const { Status, SubStatus, Request } = crawl;
    if (Request === crawlRequest.stop && Status !== crawlStatus.stopping) return this.#admin(111, crawl);
    if (Request === crawlRequest.pause && Status === crawlStatus.started) return this.#admin(121, crawl);
    if (Request === crawlRequest.resume && Status === crawlStatus.paused) return this.#admin(131, crawl);
    switch (Status) {
      case crawlStatus.requested:
        return this.#beginning.begin(crawl, all);
      case crawlStatus.initializing:
        if (SubStatus === subStatus.initializing.addingStartAddress) return this.#beginning.begin(crawl, all);
        return this.#admin(104, crawl);
      case crawlStatus.started:
        return this.#crawling(crawl);
      case crawlStatus.pausing:
        return this.#admin(123, crawl);
      case crawlStatus.resuming:
        return this.#admin(133, crawl);
      case crawlStatus.completing:
        return this.#completing(crawl);
      case crawlStatus.stopping:
        return this.#stopping(crawl);
    }
  }

  async #admin(stage: number, { CrawlID }: ListedCrawl, more: StageInput = {}): Promise<void> {
    await adminStage(this.#farm.admin, stage, { CrawlID, ...more });
  }

  /** Runs a stage in every store, as often as it requires. */
  async #everywhere(stage: number, crawl: ListedCrawl, isRepeated = false): Promise<void> {
    const { CrawlID, CrawlType, ContentSourceID, project: ProjectID } = crawl;
    for (const { client } of this.#farm.stores) {
      const input = { CrawlID, CrawlType, ContentSourceID, ProjectID, MiscInputData: 0 };
      while ((await storeStage(client, stage, input)).misc === 1 && isRepeated);
    }
  }

  async #crawling(crawl: ListedCrawl): Promise<void> {
    switch (crawl.SubStatus) {
      case subStatus.started.moveUnvisited:
        return this.#moveUnvisited(crawl);
      case subStatus.started.waitAllStores:
        for (const { client } of this.#farm.stores) {
          if ((await storeStage(client, 151, { CrawlID: crawl.CrawlID })).misc !== 1) return;
        }
        return this.#admin(150, crawl);
      default:
        return this.#admin(140, crawl);
    }
  }

  /** Unvisited documents are deleted, unless there are so many that somebody has to confirm it. */
  async #moveUnvisited(crawl: ListedCrawl): Promise<void> {
    const looked = this.#held.get(crawl.CrawlID) ?? 0;
    if (Date.now() - looked < 1000) return;
    this.#held.set(crawl.CrawlID, Date.now());
    if (!(await mayDeleteUnvisited(this.#farm, crawl))) return;
    await this.#everywhere(145, crawl);
    await this.#admin(144, crawl);
  }

  async #completing(crawl: ListedCrawl): Promise<void> {
    switch (crawl.SubStatus) {
      case subStatus.completing.waitForComponents:
        return this.#admin(146, crawl);
      case subStatus.completing.completing:
        await this.#settle(crawl);
        await this.#everywhere(149, crawl, true);
        return this.#admin(152, crawl);
      case subStatus.completing.deletesPending:
        await this.#everywhere(153, crawl);
        if (crawl.project === project.portalContent) await this.#countDocuments();
        await this.#admin(148, crawl, { ProjectID: crawl.project });
        return this.#forget(crawl);
    }
  }

  async #stopping(crawl: ListedCrawl): Promise<void> {
    if (crawl.SubStatus === subStatus.stopping.waitForComponents) return this.#admin(113, crawl);
    await this.#settle(crawl);
    await this.#everywhere(115, crawl, true);
    await this.#admin(114, crawl);
    await this.#forget(crawl);
  }

  /** No component works on the crawl any more: what is committed now is all there is to count. */
  async #settle(crawl: ListedCrawl): Promise<void> {
    if (crawl.project === project.portalContent) await settleCounters(this.#farm, crawl);
  }

  async #forget({ CrawlID }: ListedCrawl): Promise<void> {
    this.#held.delete(CrawlID);
    await forgetCrawl(this.#farm, CrawlID);
  }

  async #countDocuments(): Promise<void> {
    for (const { client, ordinal } of this.#farm.stores) {
      const { output } = await client.call(getDocCount, { SkipDocCount: 0 });
      const counted = { GthrDBID: ordinal, DocCount: output.DocCount ?? 0 };
      await this.#farm.admin.call(updateDocCount, counted, { idempotent: true });
    }
  }
}
