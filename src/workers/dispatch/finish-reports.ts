import type { Client } from '../../client/client.ts';
import type { JobProtocol } from './protocols.ts';
import { LeaseOver } from './queue.ts';
import { keyOf, type WorkItem } from './work-item.ts';

/** Items whose ends are reported by one call, and milliseconds that the first of them waits for others at most. */
const most = 4;
const patience = 100;

interface Waiting {
  readonly item: WorkItem;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Reports the ends of items, some at a time while there are others that the worker is at: every report is a commit, and
 * what it costs the machine is taken from the work.
 */
export class FinishReports {
  readonly #client: Client;
  readonly #claims: JobProtocol['claims'];
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(client: Client, claims: JobProtocol['claims']) {
    this.#client = client;
    this.#claims = claims;
  }

  /** Resolves when the end of an item is recorded; rejects with LeaseOver if the item was no longer held. */
  finish(item: WorkItem, isLast: boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ item, resolve, reject });
    if (isLast || this.#waiting.length >= most) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), patience);
    return promise;
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sent = this.#waiting;
    this.#waiting = [];
    this.#report(sent).catch((error: unknown) => {
      for (const { reject } of sent) reject(error);
    });
  }

  async #report(sent: readonly Waiting[]): Promise<void> {
    const Items = JSON.stringify(
      sent.map(({ item: { JobId, GroupId, ItemId, Lease } }) => ({
        job: String(JobId),
        group: GroupId,
        item: ItemId,
        lease: String(Lease),
      })),
    );
    const { sets } = await this.#client.call(this.#claims.finishItems, { Items }, { idempotent: true });
    const lost = new Set(sets.Lost.map(keyOf));
    for (const { item, resolve, reject } of sent) {
      if (lost.has(keyOf(item))) reject(new LeaseOver());
      else resolve();
    }
  }
}
