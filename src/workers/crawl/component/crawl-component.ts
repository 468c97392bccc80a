import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log/log.ts';
import type { Client } from '../../../client/client.ts';
import { crawlStatus, project, subStatus } from '../../../protocols/search/crawls/crawl-status.ts';
import { getCrawls } from '../../../protocols/search/crawls/get-crawls.ts';
import { componentState, isDisabled } from '../../../protocols/search/topology/component-state.ts';
import type { HttpOptions } from '../fetch/http-fetcher.ts';
import { Reader, type ReaderOptions } from '../read/reader.ts';
import { Role, rest } from '../role.ts';
import { SlowingPace } from '../slowing-pace.ts';
import { Directory } from '../store/directory.ts';
import { Farm } from '../store/farm.ts';
import { SecurityIds } from '../store/security.ts';
import { adminStage, storeStage } from '../store/stages.ts';
import { noTextIndex, type TextIndex } from '../store/text-index.ts';
import { untilCrawls } from '../until-crawls.ts';
import { AnchorJob } from './anchor-job.ts';
import { CrawlJob, type Job, type JobOptions, type JobParts } from './crawl-job.ts';
import { type Fetcher, WorldFetcher } from './fetcher.ts';
import type { RunningCrawl } from './item.ts';
import { StatusChanges } from './status-changes.ts';

export interface ComponentOptions extends JobOptions {
  /** The administration database. */
  readonly admin: Client;
  /** The number of the component in the topology. */
  readonly number: number;
  readonly log: Log;
  readonly http: Omit<HttpOptions, 'isTrusted' | 'connections'>;
  readonly reader: ReaderOptions;
  /** Milliseconds between two reports that it is alive. */
  readonly heartbeat: number;
  /** Milliseconds between two polls for requests to pause, resume or reset; ten seconds by default. */
  readonly statusInterval?: number;
  readonly clock?: Clock;
  /** Replaces the network in tests and benchmarks. */
  readonly fetcher?: Fetcher;
  readonly texts?: (farm: Farm) => TextIndex;
}

/** Milliseconds between two polls for status changes (3.2.5.5). */
const usualStatusInterval = 10_000;

/** A crawl as proc_MSS_GetCrawls lists it. */
interface Listed {
  readonly CrawlID: number;
  readonly CrawlType: number;
  readonly Status: number;
  readonly SubStatus: number;
  readonly ContentSourceID: number;
  readonly MainCrawlID: number;
  readonly project: number;
}

/** A crawl component: takes part in the crawls that its store has joined, as defined in 3.2.5. */
export class CrawlComponent extends Role {
  readonly #options: ComponentOptions;

  constructor(options: ComponentOptions) {
    super(options.log.with({ component: options.number }));
    this.#options = options;
  }

  protected async live(signal: AbortSignal): Promise<void> {
    const { admin, http, concurrency, reader: limits, fetcher } = this.#options;
    const farm = await Farm.of(admin);
    await farm.sources.refresh(0);
    await using reader = new Reader(limits);
    await using own =
      fetcher === undefined ? new WorldFetcher({ ...http, connections: concurrency }, farm.sources) : undefined;
    const life = await Life.begin(this.#options, farm, own ?? fetcher, reader);
    if (life === undefined) {
      await rest(this.#options.heartbeat, signal);
      return;
    }
    try {
      await life.run(signal);
    } catch (error) {
      await life.end(false);
      throw error;
    }
    await life.end(true);
  }
}

/** The time from a component becoming ready until it stops or loses its databases. */
class Life {
  readonly #options: ComponentOptions;
  readonly #parts: JobParts;
  readonly #jobs = new Map<number, { readonly job: Job; readonly project: number }>();
  readonly #started = new Set<number>();
  readonly #changes: StatusChanges;
  #lastReport = 0;

  private constructor(options: ComponentOptions, parts: JobParts, changes: StatusChanges) {
    this.#options = options;
    this.#parts = parts;
    this.#changes = changes;
  }

  /** Makes the component ready: items from its previous run are released. Undefined if it has no store. */
  static async begin(
    options: ComponentOptions,
    farm: Farm,
    fetcher: Fetcher | undefined,
    reader: Reader,
  ): Promise<Life | undefined> {
    const { admin, number, log, texts, clock = systemClock, concurrency, batchSize, pollInterval } = options;
    if (fetcher === undefined) throw new Error('A component needs at least one fetcher.');
    const store = await farm.storeOf(number);
    if (store === undefined) {
      log.warn('there is no such crawl component', { component: number });
      return undefined;
    }
    await storeStage(store.client, 90, { ComponentID: number, MiscInputData: 0 });
    await farm.setState(number, number, componentState.ready);
    await adminStage(admin, 94, { ComponentID: number });
    // Until it has reported, its previous run counts: a master may find it silent.
    await adminStage(admin, 95, { ComponentID: number });
    const changes = await StatusChanges.register(farm, number, options.statusInterval ?? usualStatusInterval);
    const parts: JobParts = {
      component: number,
      store,
      farm,
      fetcher,
      reader,
      directory: new Directory(admin),
      security: new SecurityIds(),
      texts: texts?.(farm) ?? noTextIndex,
      clock,
      concurrency,
      batchSize,
      pollInterval,
    };
    return new Life(options, parts, changes);
  }

  /** Resolves when the signal is aborted, or when the component was disabled. */
  async run(signal: AbortSignal): Promise<void> {
    const { admin, pollInterval, heartbeat, statusInterval = usualStatusInterval } = this.#options;
    const pace = new SlowingPace(pollInterval);
    while (!signal.aborted && (await this.#isWanted(signal))) {
      await this.#changes.poll({ leave: (id) => this.#leaveProject(id), reset: () => this.#reset() });
      const crawls = await this.#crawls();
      for (const crawl of crawls) await this.#heed(crawl);
      for (const [id, { job }] of this.#jobs) {
        job.check();
        if (crawls.some(({ CrawlID }) => CrawlID === id)) continue;
        this.#jobs.delete(id);
        await job.abort();
      }
      const areThere = crawls.length > 0 || (await untilCrawls(admin, Math.min(heartbeat, statusInterval), signal));
      pace.see({ crawls, areThere });
      await rest(pace.next(), signal);
    }
  }

  /** Ends running work: gracefully, what was started is finished and the rest is returned. */
  async end(inPeace: boolean): Promise<void> {
    const jobs = [...this.#jobs.values()];
    this.#jobs.clear();
    for (const { job } of jobs) {
      if (inPeace) await job.pause().catch(() => job.abort());
      else await job.abort();
    }
    if (inPeace) await this.#changes.forget().catch(() => {});
  }

  /** Reports that the component is alive, and checks whether it is still enabled. */
  async #isWanted(signal: AbortSignal): Promise<boolean> {
    const { admin, number, heartbeat } = this.#options;
    if (Date.now() - this.#lastReport < heartbeat) return true;
    const { misc: state } = await adminStage(admin, 95, { ComponentID: number });
    const wasSilent = Date.now() - this.#lastReport > heartbeat * 3;
    this.#lastReport = Date.now();
    if (!isDisabled(state)) return true;
    // A component that was silent for long, or has not reported since its start, was presumed dead and returns; any
    // other was disabled by an operator.
    if (!wasSilent) await this.#waitToBeEnabled(signal);
    return false;
  }

  async #waitToBeEnabled(signal: AbortSignal): Promise<void> {
    const { admin, log, number, heartbeat } = this.#options;
    log.warn('the component is disabled', { component: number });
    await this.end(false);
    while (await rest(heartbeat, signal)) {
      const { misc: state } = await adminStage(admin, 97, { ComponentID: number });
      if (!isDisabled(state)) return;
    }
  }

  async #crawls(): Promise<Listed[]> {
    const { admin, number } = this.#options;
    const listed: Listed[] = [];
    for (const each of [project.portalContent, project.anchor]) {
      const { sets } = await admin.call(getCrawls, { ComponentID: number, CatalogID: each, MasterRole: false });
      listed.push(...sets.crawls.map((crawl) => ({ ...crawl, project: each })));
    }
    return listed;
  }

  /** Does what the status of a crawl requires of a component. */
  async #heed(crawl: Listed): Promise<void> {
    const { CrawlID, Status, SubStatus } = crawl;
    switch (Status) {
      case crawlStatus.initializing:
        return this.#say(106, CrawlID);
      case crawlStatus.started:
        return this.#work(crawl);
      case crawlStatus.pausing:
        await this.#leave(CrawlID, true);
        return this.#say(122, CrawlID);
      case crawlStatus.resuming:
        return this.#say(132, CrawlID);
      case crawlStatus.stopping:
        await this.#leave(CrawlID, false);
        return this.#say(112, CrawlID);
      case crawlStatus.completing:
        if (SubStatus !== subStatus.completing.waitForComponents) return;
        await this.#leave(CrawlID, true);
        return this.#say(147, CrawlID);
    }
  }

  async #say(stage: number, CrawlID: number): Promise<void> {
    await adminStage(this.#options.admin, stage, { CrawlID, ComponentID: this.#options.number });
  }

  async #leave(crawl: number, inPeace: boolean): Promise<void> {
    const known = this.#jobs.get(crawl);
    this.#jobs.delete(crawl);
    if (inPeace) await known?.job.pause();
    else await known?.job.abort();
  }

  async #leaveProject(id: number): Promise<void> {
    for (const [crawl, { project: own }] of this.#jobs) if (own === id) await this.#leave(crawl, true);
  }

  /** Releases everything; the master empties the databases when all other components have done so (3.2.5.5). */
  async #reset(): Promise<boolean> {
    const { number, log } = this.#options;
    const { farm } = this.#parts;
    for (const crawl of this.#jobs.keys()) await this.#leave(crawl, false);
    this.#started.clear();
    if (!(await farm.isMaster(number))) return true;
    if (await farm.othersReset(number)) return false;
    log.warn('the search application was reset: everything that was crawled is deleted');
    await farm.empty();
    return true;
  }

  async #work(listed: Listed): Promise<void> {
    const { CrawlID, CrawlType, ContentSourceID, MainCrawlID, SubStatus } = listed;
    if (!this.#started.has(CrawlID)) {
      // A component that joined a running crawl has not reported that it has started.
      await this.#say(106, CrawlID);
      this.#started.add(CrawlID);
    }
    if (this.#changes.isPaused(listed.project)) return;
    let job = this.#jobs.get(CrawlID)?.job;
    if (job === undefined) {
      const crawl: RunningCrawl = {
        id: CrawlID,
        type: CrawlType,
        contentSource: ContentSourceID,
        mainCrawl: MainCrawlID,
      };
      job = listed.project === project.anchor ? new AnchorJob(this.#parts, crawl) : new CrawlJob(this.#parts, crawl);
      this.#jobs.set(CrawlID, { job, project: listed.project });
    }
    job.check();
    job.moveTo(SubStatus);
  }
}
