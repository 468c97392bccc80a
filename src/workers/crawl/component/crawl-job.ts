import { project } from '../../../protocols/search/crawls/crawl-status.ts';
import { SlowingPace } from '../slowing-pace.ts';
import type { ContentSource } from '../store/source-book.ts';
import { Bell } from './bell.ts';
import { Committer, type CommitterParts } from './committer.ts';
import type { Fetcher } from './fetcher.ts';
import { HostTurns } from './host-turns.ts';
import { IdleReport } from './idle-report.ts';
import type { Item, RunningCrawl } from './item.ts';
import type { Outcome } from './outcome.ts';
import { StoreQueue } from './queue.ts';
import { type Visiting, visit } from './visit.ts';

export interface JobOptions {
  /** Items that are visited at the same time. */
  readonly concurrency: number;
  /** Items that are taken, and committed, together. */
  readonly batchSize: number;
  /** Milliseconds between two looks for work where there was none. */
  readonly pollInterval: number;
}

export interface JobParts extends CommitterParts, JobOptions {
  readonly fetcher: Fetcher;
  readonly reader: Visiting['reader'];
}

/** Milliseconds that visits get to finish when the work pauses. */
const patience = 2000;

/** Characters of documents that may wait for their commit before no more are fetched; a link counts as so many. */
const mostUncommitted = 16_000_000;
const charactersOfLink = 200;

const sizeOf = ({ document, links = [] }: Outcome): number =>
  (document?.text.length ?? 0) + links.length * charactersOfLink;

/** Work of a component on one crawl. */
export interface Job {
  /** Throws what the work failed with. */
  check(): void;
  /** Hears where the crawl is now. */
  moveTo(subStatus: number): void;
  /** Finishes what is begun, gives back the rest, and ends. */
  pause(): Promise<void>;
  /** Ends at once and forgets what it had. */
  abort(): Promise<void>;
}

/** The work on a portal crawl: takes items, visits many at a time, and commits what became of them. */
export class CrawlJob implements Job {
  readonly #in: JobParts;
  readonly #crawl: RunningCrawl;
  readonly #queue: StoreQueue;
  readonly #turns: HostTurns;
  readonly #committer: Committer;
  readonly #idle: IdleReport;
  readonly #stop = new AbortController();
  /** Ends visits alone: what they had goes back to the queue. */
  readonly #cut = new AbortController();
  readonly #visitsEnd = AbortSignal.any([this.#stop.signal, this.#cut.signal]);
  readonly #wantsMore = new Bell();
  readonly #hasOutcomes = new Bell();
  readonly #backlog: Item[] = [];
  readonly #batches: bigint[] = [];
  readonly #outcomes: Outcome[] = [];
  /** Characters of the texts and links in them. */
  #uncommitted = 0;
  #visiting = 0;
  #committing = 0;
  #isPausing = false;
  /** Whether the last batch was as large as asked for. */
  #wasFull = true;
  #source: ContentSource | undefined;
  #failure: unknown;
  readonly #ended: Promise<unknown>;

  constructor(parts: JobParts, crawl: RunningCrawl) {
    this.#in = parts;
    this.#crawl = crawl;
    const { component, store, farm } = parts;
    this.#queue = new StoreQueue(component, store, farm);
    this.#turns = new HostTurns(store.client);
    this.#committer = new Committer(parts, crawl);
    this.#idle = new IdleReport(component, crawl.id, store, farm);
    this.#ended = Promise.all([this.#guarded(() => this.#refill()), this.#guarded(() => this.#commitAll())]);
  }

  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  moveTo(subStatus: number): void {
    if (this.#idle.moveTo(subStatus)) this.#wantsMore.ring();
  }

  async pause(): Promise<void> {
    this.#isPausing = true;
    this.#ringAll();
    const timer = setTimeout(() => this.#cut.abort(), patience);
    await this.#ended;
    clearTimeout(timer);
    this.check();
    for (const batch of this.#batches) await this.#queue.giveBack(batch);
  }

  async abort(): Promise<void> {
    this.#stop.abort();
    this.#ringAll();
    await this.#ended;
  }

  #ringAll(): void {
    this.#wantsMore.ring();
    this.#hasOutcomes.ring();
  }

  /** What one part of the work fails with ends all of it. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#failure ??= error;
      this.#stop.abort();
      this.#ringAll();
    }
  }

  /** Sees to it that there is always something to visit. */
  async #refill(): Promise<void> {
    const { farm, concurrency, pollInterval } = this.#in;
    const pace = new SlowingPace(pollInterval);
    while (!this.#stop.signal.aborted && !this.#isPausing) {
      this.#source = await farm.sources.source(this.#crawl.contentSource);
      const isLow = this.#backlog.length < concurrency;
      const taken = isLow ? await this.#takeMore() : 0;
      this.#startVisits();
      if (taken > 0 || !this.#isQuiet) pace.quicken();
      if (taken > 0) continue;
      if (this.#isQuiet) await this.#idle.look();
      await this.#wantsMore.wait(pace.next());
    }
  }

  get #isQuiet(): boolean {
    return this.#visiting + this.#committing + this.#backlog.length + this.#outcomes.length === 0;
  }

  async #takeMore(): Promise<number> {
    if (!(await this.#idle.mayTake())) return 0;
    const { id } = this.#crawl;
    const { batchSize } = this.#in;
    await this.#queue.flush(id, project.portalContent, batchSize * 10);
    const { batch, items } = await this.#queue.take(id, project.portalContent, batchSize);
    this.#wasFull = items.length === batchSize;
    if (items.length === 0) return 0;
    this.#batches.push(batch);
    // The items of earlier ones are mostly committed; those that are not are in one of the last batches.
    if (this.#batches.length > 20) this.#batches.shift();
    this.#backlog.push(...items);
    return items.length;
  }

  /** Whether visits have to wait for commits: servers of documents may be faster than databases. */
  get #isFull(): boolean {
    return this.#outcomes.length >= this.#in.batchSize * 2 || this.#uncommitted > mostUncommitted;
  }

  #startVisits(): void {
    const isOpen = () => !this.#isPausing && !this.#stop.signal.aborted && !this.#isFull;
    while (isOpen() && this.#visiting < this.#in.concurrency) {
      const item = this.#backlog.shift();
      if (item === undefined) break;
      this.#visiting++;
      void this.#guarded(() => this.#visit(item));
    }
    // Where there was no more, only a commit can bring more.
    if (this.#wasFull && this.#backlog.length < this.#in.concurrency) this.#wantsMore.ring();
  }

  async #visit(item: Item): Promise<void> {
    const { fetcher, reader } = this.#in;
    const signal = this.#visitsEnd;
    try {
      const context = { crawl: this.#crawl, source: this.#source, fetcher, reader, turns: this.#turns, signal };
      const outcome = await visit(item, context);
      this.#outcomes.push(outcome);
      this.#uncommitted += sizeOf(outcome);
    } catch (error) {
      if (!this.#cut.signal.aborted) throw error;
    } finally {
      this.#visiting--;
      this.#startVisits();
      this.#hasOutcomes.ring();
    }
  }

  /** Commits what has come in while the last commit was under way. */
  async #commitAll(): Promise<void> {
    const { batchSize, pollInterval } = this.#in;
    while (!this.#stop.signal.aborted) {
      const some = this.#outcomes.splice(0, batchSize);
      if (some.length > 0) {
        this.#committing = some.length;
        for (const outcome of some) this.#uncommitted -= sizeOf(outcome);
        this.#startVisits();
        await this.#committer.commit(some, this.#source);
        this.#committing = 0;
        this.#wantsMore.ring();
      } else if (this.#isPausing && this.#visiting === 0) return;
      else await this.#hasOutcomes.wait(pollInterval);
    }
  }
}
