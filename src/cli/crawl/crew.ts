import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../base/log/log.ts';
import { SqlError } from '../../base/messages/sql-error.ts';
import type { Client } from '../../client/client.ts';
import { isDisabled } from '../../protocols/search/topology/component-state.ts';
import { int } from '../../tds/types/index.ts';
import {
  type ComponentOptions,
  CrawlComponent,
  IndexMerger,
  Master,
  ScopeCompiler,
} from '../../workers/crawl/index.ts';
import { readSetting, removeSetting, writeSetting } from '../../workers/crawl/store/settings.ts';
import { storeTexts } from '../../workers/crawl/store/store-texts.ts';
import { productVersion } from '../version-command.ts';

/** How a component works when the command line runs it. */
const usual = {
  // A host gets half of them at most.
  concurrency: 32,
  batchSize: 50,
  pollInterval: 100,
  heartbeat: 5_000,
  http: {
    userAgent: `Granary/${productVersion()} (crawler)`,
    connectTimeout: 10_000,
    timeout: 60_000,
    largest: 64 * 1024 * 1024,
  },
  reader: { timeout: 30_000, memory: 512 },
} satisfies Partial<ComponentOptions>;

/** Minutes of silence after which a component is taken for dead. */
const silence = 5;
/**
 * Milliseconds between two checks for components that nobody runs, after which a claim is renewed, and after which it
 * expires.
 */
const look = 2_000;
const renewedAfter = 4_000;
const oldClaim = 15_000;
/** Milliseconds between two looks whether scopes are to be compiled (3.2.5.7). */
const scopesInterval = 30_000;
/** Milliseconds between two looks whether a master merge is asked for (3.2.5.8). */
const mergeInterval = 60_000;

/** That a crew runs a component: kept as a setting, so that no two do. */
interface Claim {
  readonly crew: string;
  readonly host: string;
  readonly process: number;
  readonly at: number;
}

const claimName = (component: number) => `Granary-crawl-component-${component}`;
/** The number of the error of a transaction that lost against another. */
const deadlock = 1205;
/** Who writes this first settles a claim while others wait. */
const claiming = 'Granary-crawl-claiming';

/** The crews of this process. */
const crewsHere = new Set<string>();

/** Runs the crawl components that nobody else runs, for as long as it lives; a crew elsewhere that dies is replaced. */
export class Crew implements AsyncDisposable {
  readonly #id = randomUUID();
  readonly #admin: Client;
  readonly #log: Log;
  readonly #stop = new AbortController();
  readonly #roles = new Map<number, AsyncDisposableStack>();
  /** When the components were last claimed. */
  readonly #claimed = new Map<number, number>();
  #running: Promise<void> | undefined;
  #failure: unknown;

  constructor(admin: Client, log: Log) {
    this.#admin = admin;
    this.#log = log;
    crewsHere.add(this.#id);
  }

  /** The components that it runs. */
  get components(): readonly number[] {
    return [...this.#roles.keys()];
  }

  async start(): Promise<void> {
    await this.#tend();
    this.#running ??= this.#watch(this.#stop.signal);
  }

  /** Throws what its watch failed with. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Lets the components finish what they have begun. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await Promise.all([...this.#roles.values()].map((roles) => roles.disposeAsync()));
    for (const component of this.#roles.keys()) await removeSetting(this.#admin, claimName(component)).catch(() => {});
    this.#roles.clear();
    crewsHere.delete(this.#id);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(look, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      await this.#tend().catch((error: unknown) =>
        this.#log.warn('the crawl components cannot be listed', { error: String(error) }),
      );
    }
  }

  async #tend(): Promise<void> {
    const listed = await this.#admin.select(
      { number: int, state: int },
      'select CrawlComponentNumber as number, State as state from CrawlComponents order by CrawlComponentNumber',
      {},
      { idempotent: true },
    );
    for (const { number, state } of listed) {
      const isOwn = this.#roles.has(number);
      if (!isOwn && isDisabled(state)) continue;
      if (isOwn && Date.now() - (this.#claimed.get(number) ?? 0) < renewedAfter) continue;
      const isClaimed = await this.#claim(number);
      if (isClaimed && !isOwn) await this.#take(number);
      else if (!isClaimed && isOwn) await this.#leave(number);
    }
  }

  /**
   * Claims a component, or renews the claim; false if another crew has it. If it conflicts with the claims of others so
   * often that the client gives up, it starts again: with each conflict another crew has settled its claim.
   */
  async #claim(component: number): Promise<boolean> {
    for (;;) {
      try {
        return await this.#settle(component);
      } catch (error) {
        if (!(error instanceof SqlError) || error.number !== deadlock || this.#stop.signal.aborted) throw error;
      }
    }
  }

  /** Claims are settled one after another. */
  #settle(component: number): Promise<boolean> {
    return this.#admin.transaction(async (settling) => {
      await writeSetting(settling, claiming, this.#id);
      const written = await readSetting(settling, claimName(component));
      if (written !== undefined && !this.#isFree(JSON.parse(written))) return false;
      const claim: Claim = { crew: this.#id, host: hostname(), process: process.pid, at: Date.now() };
      await writeSetting(settling, claimName(component), JSON.stringify(claim));
      this.#claimed.set(component, claim.at);
      return true;
    });
  }

  /** Whether a claim is this crew's, or that of one that is gone. */
  #isFree({ crew, host, process: pid, at }: Claim): boolean {
    const isHere = host === hostname();
    if (isHere && pid === process.pid) return crew === this.#id || !crewsHere.has(crew);
    return Date.now() - at > oldClaim || (isHere && !isAlive(pid));
  }

  /** This crew was silent for so long that another has taken the component. */
  async #leave(number: number): Promise<void> {
    this.#log.warn('another process runs the component now', { component: number });
    const roles = this.#roles.get(number);
    this.#roles.delete(number);
    await roles?.disposeAsync();
  }

  async #take(number: number): Promise<void> {
    const own = { admin: this.#admin, number, log: this.#log };
    await using starting = new AsyncDisposableStack();
    const { pollInterval, heartbeat } = usual;
    await starting.use(new Master({ ...own, pollInterval, heartbeat, silence })).start();
    await starting.use(new CrawlComponent({ ...own, ...usual, texts: storeTexts })).start();
    await starting.use(new ScopeCompiler({ ...own, interval: scopesInterval })).start();
    await starting.use(new IndexMerger({ ...own, interval: mergeInterval })).start();
    this.#roles.set(number, starting.move());
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
