import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import process from 'node:process';
import type { Log } from '../../base/log/log.ts';
import { SqlError } from '../../base/messages/sql-error.ts';
import type { Client } from '../../client/client.ts';
import { Role, rest } from '../crawl/role.ts';
import { ClaimedQueue } from './claimed-queue.ts';
import { HeldItems } from './held-items.ts';
import { PolledQueue } from './polled-queue.ts';
import type { JobProtocol } from './protocols.ts';
import type { WorkQueue } from './queue.ts';
import { unknownProcedure } from './unknown-procedure.ts';
import type { Work } from './work-item.ts';

/** How a dispatcher works. */
interface DispatcherOptions {
  /** A client of the database of jobs. */
  readonly client: Client;
  readonly protocol: JobProtocol;
  readonly work: Work;
  /** True to take only items of jobs that have Granary's own settings. */
  readonly own: boolean;
  readonly log: Log;
  /** Seconds for which an item is claimed; the claim is renewed for as long as the work takes. */
  readonly leaseSeconds?: number;
  /** Milliseconds that items may still take after a stop; what is not done by then is given back. */
  readonly grace?: number;
  /** Milliseconds between two checks for work on a server that cannot be waited on. */
  readonly interval?: number;
  /** Milliseconds after which such a server's items in progress are taken for abandoned. */
  readonly abandoned?: number;
}

const usual = { leaseSeconds: 60, grace: 10_000, interval: 2_000, abandoned: 3_600_000 };

/** The role of a dispatcher: takes items of one database on, has them done, and reports what became of them. */
export class Dispatcher extends Role {
  readonly #options: DispatcherOptions & typeof usual;
  readonly #worker = randomUUID();
  readonly #held: HeldItems;
  #queue: WorkQueue;

  constructor(options: DispatcherOptions) {
    super(options.log);
    this.#options = { ...usual, ...options };
    const { client, protocol, work, own, leaseSeconds } = this.#options;
    const name = `${work.name} ${hostname()}/${process.pid}`;
    this.#queue = new ClaimedQueue({ client, protocol, worker: this.#worker, name, own, leaseSeconds });
    this.#held = new HeldItems(work, options.log);
  }

  /** Lets the running items finish, or returns them. */
  override async stop(): Promise<void> {
    // First, no new items are claimed: a claim in flight may add items that must also finish.
    await super.stop();
    await this.#held.settle(this.#options.grace);
    await this.#queue
      .end()
      .catch((error: unknown) => this.log.warn('the worker could not sign off', { error: String(error) }));
  }

  protected async live(signal: AbortSignal): Promise<void> {
    const ended = new AbortController();
    const renewing = this.#renew(AbortSignal.any([signal, ended.signal]));
    try {
      while (!signal.aborted) await this.#turn(signal);
    } finally {
      ended.abort();
      await renewing;
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const { slots } = this.#options.work;
    const free = slots - this.#held.size;
    // Some at a time: every claim is a commit.
    if (free < slots / 2) return await this.#held.oneDone(signal);
    const items = await this.#claim(free);
    for (const item of items) this.#held.add(item, this.#queue);
    if (items.length > 0) return;
    if (this.#held.size === 0) await this.#options.work.rest?.();
    await this.#queue.wait(signal);
  }

  async #claim(count: number) {
    try {
      return await this.#queue.claim(count);
    } catch (error) {
      if (!(error instanceof SqlError) || error.number !== unknownProcedure || this.#queue.lease === undefined)
        throw error;
      const { client, protocol, interval, abandoned, log } = this.#options;
      log.info('the server has no claims: polling for items');
      this.#queue = new PolledQueue({ client, protocol, worker: this.#worker, interval, abandoned });
      return await this.#queue.claim(count);
    }
  }

  /** Renews the claims at a third of their time; items that are no longer held, or no longer wanted, are dropped. */
  async #renew(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { lease } = this.#queue;
      if (!(await rest((lease ?? 60_000) / 3, signal)) || lease === undefined) continue;
      if (this.#held.size === 0) continue;
      const before = performance.now();
      try {
        this.#held.renewed(await this.#queue.renew(), before);
      } catch (error) {
        this.log.warn('leases could not be renewed', { error: String(error) });
        this.#held.dropOlder(performance.now() - lease);
      }
    }
  }
}
