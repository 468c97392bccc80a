import { project } from '../../../protocols/search/crawls/crawl-status.ts';
import { SlowingPace } from '../slowing-pace.ts';
import type { ContentSource } from '../store/source-book.ts';
import { Bell } from './bell.ts';
import { Committer, type CommitterParts } from './committer.ts';
import type { Fetcher } from './fetcher.ts';
import { Frontier, type Slot } from './frontier.ts';
import { HostTurns } from './host-turns.ts';
import { IdleReport } from './idle-report.ts';
import type { RunningCrawl } from './item.ts';
import type { Outcome } from './outcome.ts';
import { StoreQueue } from './queue.ts';
import { TakenBatches } from './taken-batches.ts';
import { type Visiting, visit } from './visit.ts';

export interface JobOptions {
  /** Items that are visited concurrently. */
  readonly concurrency: number;
  /** Items that are taken, and committed, in one batch. */
  readonly batchSize: number;
  /** Milliseconds between two polls for work. */
  readonly pollInterval: number;
}

export interface JobParts extends CommitterParts, JobOptions {
  readonly fetcher: Fetcher;
  readonly reader: Visiting['reader'];
}

/** Milliseconds that visits get to finish when the work pauses. */
const patience = 2000;

/** Characters of documents that may wait for their commit before fetching stops; a link counts as that many. */
const mostUncommitted = 16_000_000;
const charactersOfLink = 200;

/**
 * The milliseconds after which an item's host counts as slow, and the maximum number of additional items that are taken
 * for other hosts.
 */
const slow = 1000;
const mostHeld = 5000;

const sizeOf = ({ document, links = [] }: Outcome): number =>
  (document?.text.length ?? 0) + links.length * charactersOfLink;

/** A component's work on one crawl. */
export interface Job {
  /** Throws the error with which the work failed. */
  check(): void;
  /** Receives the current status of the crawl. */
  moveTo(subStatus: number): void;
  /** Finishes what was started, returns the rest, and ends. */
  pause(): Promise<void>;
  /** Ends at once and discards what it had. */
  abort(): Promise<void>;
}

/** Processes a portal crawl: takes items, visits many concurrently, and commits the outcomes. */
export class CrawlJob implements Job {
  readonly #in: JobParts;
  readonly #crawl: RunningCrawl;
  readonly #queue: StoreQueue;
  readonly #turns: HostTurns;
  readonly #committer: Committer;
  readonly #idle: IdleReport;
  readonly #stop = new AbortController();
  /** Aborts visits only: their items return to the queue. */
  readonly #cut = new AbortController();
  readonly #visitsEnd = AbortSignal.any([this.#stop.signal, this.#cut.signal]);
  readonly #wantsMore = new Bell();
  readonly #hasOutcomes = new Bell();
  readonly #frontier: Frontier;
  readonly #batches = new TakenBatches();
  readonly #outcomes: Outcome[] = [];
  /** Characters of their texts and links. */
  #uncommitted = 0;
  #committing = 0;
  #isPausing = false;
  /** Whether there may be more right away: the last batch was as large as requested. */
  #wasFull = true;
  /** When more was last taken. */
  #lastTaken = 0;
  #nextTurn: NodeJS.Timeout | undefined;
  #source: ContentSource | undefined;
  #failure: unknown;
  readonly #ended: Promise<unknown>;

  constructor(parts: JobParts, crawl: RunningCrawl) {
    this.#in = parts;
    this.#crawl = crawl;
    const { component, store, farm } = parts;
    this.#queue = new StoreQueue(component, store, farm);
    this.#turns = new HostTurns(store.client);
    this.#frontier = new Frontier(parts.concurrency);
    this.#committer = new Committer(parts, crawl);
    this.#idle = new IdleReport(component, crawl.id, store, farm);
    const work = [this.#guarded(() => this.#refill()), this.#guarded(() => this.#commitAll())];
    this.#ended = Promise.all(work).finally(() => clearTimeout(this.#nextTurn));
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
    for (const batch of this.#batches.open) await this.#queue.giveBack(batch);
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

  /** A failure of one part of the work ends all of it. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#failure ??= error;
      this.#stop.abort();
      this.#ringAll();
    }
  }

  /** Keeps the supply of items to visit filled. */
  async #refill(): Promise<void> {
    const { farm, pollInterval } = this.#in;
    const pace = new SlowingPace(pollInterval);
    while (!this.#stop.signal.aborted && !this.#isPausing) {
      this.#source = await farm.sources.source(this.#crawl.contentSource);
      const taken = this.#isLow || this.#isStuck ? await this.#takeMore() : 0;
      this.#startVisits();
      if (taken > 0 || !this.#isQuiet) pace.quicken();
      if (taken > 0) continue;
      if (this.#isQuiet) await this.#idle.look();
      await this.#wantsMore.wait(pace.next());
    }
  }

  get #isQuiet(): boolean {
    return this.#frontier.begun + this.#committing + this.#frontier.held + this.#outcomes.length === 0;
  }

  get #isLow(): boolean {
    return this.#frontier.held < this.#in.concurrency;
  }

  /**
   * Whether slots stay free because all items are of slow hosts; if there were no more items to take, this is checked
   * from time to time.
   */
  get #isStuck(): boolean {
    const mayBeMore = this.#wasFull || performance.now() - this.#lastTaken > slow;
    return mayBeMore && !this.#isFull && this.#frontier.held < mostHeld && this.#frontier.isStuck(slow);
  }

  async #takeMore(): Promise<number> {
    const { id } = this.#crawl;
    const { batchSize } = this.#in;
    if (!(await this.#idle.mayTake())) {
      this.#wasFull = false;
      return 0;
    }
    await this.#queue.flush(id, project.portalContent, batchSize * 10);
    const { batch, items } = await this.#queue.take(id, project.portalContent, batchSize);
    this.#wasFull = items.length === batchSize;
    this.#lastTaken = performance.now();
    this.#batches.add(batch, items);
    this.#frontier.add(items);
    return items.length;
  }

  /** Whether visits have to wait for commits: document servers may be faster than databases. */
  get #isFull(): boolean {
    return this.#outcomes.length >= this.#in.batchSize * 2 || this.#uncommitted > mostUncommitted;
  }

  #startVisits(): void {
    const isOpen = () => !this.#isPausing && !this.#stop.signal.aborted && !this.#isFull;
    while (isOpen()) {
      const slot = this.#frontier.next();
      if (slot === undefined) break;
      void this.#guarded(() => this.#visit(slot));
    }
    clearTimeout(this.#nextTurn);
    const wait = isOpen() ? this.#frontier.wait : undefined;
    if (wait !== undefined) this.#nextTurn = setTimeout(() => this.#startVisits(), wait);
    // Where there was no more, only a commit can bring more.
    if (this.#wasFull && this.#isLow) this.#wantsMore.ring();
  }

  /** The turns at hosts, as the visit of an item takes them: while it waits for its own, others are visited. */
  #turnsFor(slot: Slot): Visiting['turns'] {
    return {
      take: async (host, interval, signal) => {
        const hears = (wait: number) => {
          slot.waits(wait, interval);
          this.#startVisits();
        };
        await this.#turns.take(host, interval, signal, hears);
        slot.goes();
      },
      rest: (host, milliseconds) => {
        this.#frontier.rest(host, milliseconds);
        return this.#turns.rest(host, milliseconds);
      },
    };
  }

  async #visit(slot: Slot): Promise<void> {
    const { fetcher, reader } = this.#in;
    const signal = this.#visitsEnd;
    const turns = this.#turnsFor(slot);
    try {
      const context = { crawl: this.#crawl, source: this.#source, fetcher, reader, turns, signal };
      const outcome = await visit(slot.item, context);
      this.#outcomes.push(outcome);
      this.#uncommitted += sizeOf(outcome);
    } catch (error) {
      if (!this.#cut.signal.aborted) throw error;
    } finally {
      slot.ends();
      this.#startVisits();
      this.#hasOutcomes.ring();
    }
  }

  /** Commits what has arrived during the last commit. */
  async #commitAll(): Promise<void> {
    const { batchSize, pollInterval } = this.#in;
    while (!this.#stop.signal.aborted) {
      const some = this.#outcomes.splice(0, batchSize);
      if (some.length > 0) {
        this.#committing = some.length;
        for (const outcome of some) this.#uncommitted -= sizeOf(outcome);
        this.#startVisits();
        await this.#committer.commit(some, this.#source);
        for (const { item } of some) this.#batches.committed(item);
        this.#committing = 0;
        this.#wantsMore.ring();
      } else if (this.#isPausing && this.#frontier.begun === 0) return;
      else await this.#hasOutcomes.wait(pollInterval);
    }
  }
}
