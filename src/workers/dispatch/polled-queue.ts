import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../client/client.ts';
import { type ItemError, isTriedAgain, itemErrors } from '../../protocols/jobs/item-errors.ts';
import type { JobProtocol } from './protocols.ts';
import type { StillHeld, WorkQueue } from './queue.ts';
import { keyOf, type WorkItem, withGroups } from './work-item.ts';

interface PolledOptions {
  readonly client: Client;
  readonly protocol: JobProtocol;
  readonly worker: string;
  /** Milliseconds between two checks for items. */
  readonly interval: number;
  /** Milliseconds after which an item in progress is taken for abandoned. */
  readonly abandoned: number;
}

/**
 * Items as the protocols alone hand them out: a batch is fetched, marked as started, done and reported. Nothing keeps a
 * second dispatcher from the same items meanwhile.
 */
export class PolledQueue implements WorkQueue {
  readonly #options: PolledOptions;
  /** The items that this worker is at: those that take long come again as abandoned ones. */
  readonly #held = new Set<string>();
  readonly lease = undefined;

  constructor(options: PolledOptions) {
    this.#options = options;
  }

  async claim(count: number): Promise<readonly WorkItem[]> {
    const { client, protocol, worker, abandoned } = this.#options;
    const before = new Date(Date.now() - abandoned);
    const fetched = await protocol.fetch(client, count + this.#held.size, before);
    const wanted = fetched.filter((item) => !this.#held.has(keyOf(item))).slice(0, count);
    if (wanted.length === 0) return [];
    const started = wanted.filter(({ AttemptsRemaining }) => AttemptsRemaining > 0);
    const spent = wanted.filter(({ AttemptsRemaining }) => AttemptsRemaining === 0);
    const named = ({ JobId, GroupId, ItemId }: WorkItem | (typeof wanted)[number], rest: string) =>
      `<item job="${JobId}" group="${GroupId}" id="${ItemId}" ${rest}/>`;
    const groups = await protocol.start(
      client,
      `<batch xmlns="${protocol.batchNamespace}"><start>` +
        started.map((item) => named({ Lease: 0n, ...item }, `wsi="${worker}"`)).join('') +
        '</start><failed>' +
        spent.map((item) => named(item, `error="${itemErrors.workerLost.code}"`)).join('') +
        '</failed></batch>',
    );
    const items = withGroups(started, groups).map((item) => ({ Lease: 0n, ...item }));
    for (const item of items) this.#held.add(keyOf(item));
    return items;
  }

  async wait(signal: AbortSignal): Promise<void> {
    await delay(this.#options.interval, undefined, { signal });
  }

  async renew(): Promise<readonly StillHeld[]> {
    return [];
  }

  /** The protocols have no place for notes. */
  async noteOutput(): Promise<undefined> {}

  async finish(item: WorkItem): Promise<void> {
    await this.#options.protocol.succeeded(this.#options.client, item, { idempotent: true });
    this.#held.delete(keyOf(item));
  }

  async fail(item: WorkItem, error: ItemError): Promise<void> {
    const { client, protocol } = this.#options;
    await protocol.failed(client, item, !isTriedAgain(error), itemErrors[error].code, { idempotent: true });
    this.#held.delete(keyOf(item));
  }

  /** The protocols cannot take a start back: the attempt counts. */
  giveBack(item: WorkItem): Promise<void> {
    return this.fail(item, 'stopped');
  }

  async end(): Promise<void> {}
}
