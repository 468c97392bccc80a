import { hostname } from 'node:os';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import type { Client } from '../../client/client.ts';
import { isDisabled } from '../../protocols/search/topology/component-state.ts';
import { int } from '../../tds/types/index.ts';
import { type ComponentOptions, CrawlComponent, Master } from '../../workers/crawl/index.ts';
import { readSetting, removeSetting, writeSetting } from '../../workers/crawl/store/settings.ts';
import { storeTexts } from '../../workers/crawl/store/store-texts.ts';
import { productVersion } from '../version-command.ts';

/** How a component works when the command line runs it. */
const usual = {
  concurrency: 16,
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
/** Milliseconds between two looks for components that nobody runs, and after which a claim is old. */
const look = 2_000;
const oldClaim = 15_000;

/** That a process runs a component: kept as a setting, so that no two do. */
interface Claim {
  readonly host: string;
  readonly process: number;
  readonly at: number;
}

const claimName = (component: number) => `Granary-crawl-component-${component}`;

/** Runs the crawl components that nobody else runs, for as long as it lives; a crew elsewhere that dies is replaced. */
export class Crew implements AsyncDisposable {
  readonly #admin: Client;
  readonly #log: Log;
  readonly #stop = new AbortController();
  readonly #roles = new Map<number, AsyncDisposableStack>();
  #running: Promise<void> | undefined;
  #failure: unknown;

  constructor(admin: Client, log: Log) {
    this.#admin = admin;
    this.#log = log;
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
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(look, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      await this.#tend().catch((error: unknown) =>
        this.#log.warn('the components cannot be seen', { error: String(error) }),
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
      if (this.#roles.has(number)) await this.#claim(number);
      else if (!isDisabled(state) && (await this.#isFree(number))) await this.#take(number);
    }
  }

  async #isFree(component: number): Promise<boolean> {
    const written = await readSetting(this.#admin, claimName(component));
    if (written === undefined) return true;
    const { host, process: pid, at }: Claim = JSON.parse(written);
    return Date.now() - at > oldClaim || (host === hostname() && !isAlive(pid));
  }

  #claim(component: number): Promise<void> {
    const claim: Claim = { host: hostname(), process: process.pid, at: Date.now() };
    return writeSetting(this.#admin, claimName(component), JSON.stringify(claim));
  }

  async #take(number: number): Promise<void> {
    await this.#claim(number);
    const own = { admin: this.#admin, number, log: this.#log };
    await using starting = new AsyncDisposableStack();
    const { pollInterval, heartbeat } = usual;
    await starting.use(new Master({ ...own, pollInterval, heartbeat, silence })).start();
    await starting.use(new CrawlComponent({ ...own, ...usual, texts: storeTexts })).start();
    this.#roles.set(number, starting.move());
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
