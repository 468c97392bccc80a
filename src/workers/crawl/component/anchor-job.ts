import { project } from '../../../protocols/search/crawls/crawl-status.ts';
import { itemType, transactionType } from '../../../protocols/search/gather/values.ts';
import { success } from '../fetch/crawl-error.ts';
import { defaultRules } from '../rules/source-rules.ts';
import { SlowingPace } from '../slowing-pace.ts';
import { commitItems } from '../store/commit-items.ts';
import { commitRecord } from '../store/commit-record.ts';
import { linkRow, linksTable } from '../store/links-table.ts';
import { anchorUrl, firstTarget, indexAnchors } from './anchors.ts';
import { Bell } from './bell.ts';
import type { CommitterParts } from './committer.ts';
import type { Job, JobOptions } from './crawl-job.ts';
import { IdleReport } from './idle-report.ts';
import type { Item, RunningCrawl } from './item.ts';
import { unchanged } from './outcome.ts';
import { StoreQueue } from './queue.ts';

/** Processes an anchor crawl: each item is a range of documents whose anchors have changed (3.2.5.4). */
export class AnchorJob implements Job {
  readonly #in: CommitterParts & JobOptions;
  readonly #crawl: RunningCrawl;
  readonly #queue: StoreQueue;
  readonly #idle: IdleReport;
  readonly #bell = new Bell();
  #isEnding = false;
  #batch: bigint | undefined;
  #failure: unknown;
  readonly #ended: Promise<void>;

  constructor(parts: CommitterParts & JobOptions, crawl: RunningCrawl) {
    this.#in = parts;
    this.#crawl = crawl;
    const { component, store, farm } = parts;
    this.#queue = new StoreQueue(component, store, farm);
    this.#idle = new IdleReport(component, crawl.id, store, farm);
    this.#ended = this.#run().catch((error: unknown) => {
      this.#failure = error;
    });
  }

  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  moveTo(subStatus: number): void {
    if (this.#idle.moveTo(subStatus)) this.#bell.ring();
  }

  async pause(): Promise<void> {
    await this.abort();
    this.check();
    if (this.#batch !== undefined) await this.#queue.giveBack(this.#batch);
  }

  async abort(): Promise<void> {
    this.#isEnding = true;
    this.#bell.ring();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { batchSize, pollInterval } = this.#in;
    const pace = new SlowingPace(pollInterval);
    while (!this.#isEnding) {
      let items: readonly Item[] = [];
      if (await this.#idle.mayTake()) {
        await this.#queue.flush(this.#crawl.id, project.anchor);
        const taken = await this.#queue.take(this.#crawl.id, project.anchor, batchSize);
        items = taken.items;
        this.#batch = taken.batch;
      }
      for (const item of items) if (!this.#isEnding) await this.#work(item);
      if (items.length > 0) {
        pace.quicken();
        continue;
      }
      await this.#idle.look();
      await this.#bell.wait(pace.next());
    }
  }

  async #work(item: Item): Promise<void> {
    const { farm, store, component } = this.#in;
    if (item.TransactionType !== transactionType.delete) {
      const next = await indexAnchors(farm, store.client, component, this.#crawl.mainCrawl, firstTarget(item));
      if (next !== undefined) await this.#goOnAt(next);
    }
    const outcome = { ...unchanged(item, {}), hresult: success, description: null, isRetry: false };
    const record = commitRecord(outcome, {
      crawl: this.#crawl,
      rules: defaultRules,
      error: { id: 0, level: 0, marksDelete: false },
      isStartAddress: false,
      linksBitmap: 0,
    });
    await commitItems(store.client, component, [record]);
  }

  async #goOnAt(target: number): Promise<void> {
    const link = linkRow({
      CrawlID: this.#crawl.id,
      CrawlType: this.#crawl.type,
      ContentSourceID: this.#crawl.contentSource,
      ProjectID: project.anchor,
      AccessURL: anchorUrl(target),
      Host: '',
      HostID: 0,
      ItemType: itemType.anchorLink,
    });
    await this.#in.store.client.bulkLoad(linksTable, [link]);
  }
}
