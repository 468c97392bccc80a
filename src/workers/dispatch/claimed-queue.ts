import { SqlError } from '../../base/messages/sql-error.ts';
import type { Client } from '../../client/client.ts';
import { type ItemError, isTriedAgain, itemErrors } from '../../protocols/jobs/item-errors.ts';
import { FinishReports } from './finish-reports.ts';
import type { JobProtocol } from './protocols.ts';
import type { StillHeld, WorkQueue } from './queue.ts';
import { unknownProcedure } from './unknown-procedure.ts';
import { type WorkItem, withGroups } from './work-item.ts';

interface ClaimedOptions {
  readonly client: Client;
  readonly protocol: JobProtocol;
  /** The identifier of the worker, and what people call it. */
  readonly worker: string;
  readonly name: string;
  readonly own: boolean;
  readonly leaseSeconds: number;
}

/** Milliseconds that one wait takes at most. */
const longestWait = 30_000;
/** The longest message that the server keeps. */
const longestMessage = 1000;

/** Items that are claimed under leases, by the procedures of the schema granary: no two workers have the same. */
export class ClaimedQueue implements WorkQueue {
  readonly #options: ClaimedOptions;
  readonly #finished: FinishReports;

  constructor(options: ClaimedOptions) {
    this.#options = options;
    this.#finished = new FinishReports(options.client, options.protocol.claims);
  }

  get lease(): number {
    return this.#options.leaseSeconds * 1000;
  }

  async claim(Count: number): Promise<readonly WorkItem[]> {
    const { client, protocol, worker, name, own, leaseSeconds } = this.#options;
    const request = { Worker: worker, Count, LeaseSeconds: leaseSeconds, Name: name, Own: own };
    const { Items, Groups } = await protocol.claim(client, request);
    return withGroups(Items, Groups);
  }

  async wait(signal: AbortSignal): Promise<void> {
    const { client, protocol, own } = this.#options;
    await client.call(
      protocol.claims.waitForWork,
      { Milliseconds: longestWait, Own: own },
      { signal, idempotent: true },
    );
  }

  async renew(): Promise<readonly StillHeld[]> {
    const { client, protocol, worker, leaseSeconds } = this.#options;
    const request = { Worker: worker, LeaseSeconds: leaseSeconds };
    const { sets } = await client.call(protocol.claims.renewItems, request, { idempotent: true });
    return sets.Items;
  }

  async noteOutput(item: WorkItem, digest?: string): Promise<string | undefined> {
    const { client, protocol } = this.#options;
    const asked = { ...heldOf(item), Digest: digest ?? null };
    try {
      const { output } = await client.call(protocol.claims.noteOutput, asked, { idempotent: true });
      return output.Noted ?? undefined;
    } catch (error) {
      // A Granary of before has claims and no notes.
      if (error instanceof SqlError && error.number === unknownProcedure) return undefined;
      throw error;
    }
  }

  finish(item: WorkItem, isLast: boolean): Promise<void> {
    return this.#finished.finish(item, isLast);
  }

  async fail(item: WorkItem, error: ItemError, message: string): Promise<void> {
    const { client, protocol } = this.#options;
    const failure = {
      NoRetry: !isTriedAgain(error),
      ErrorCode: itemErrors[error].code,
      Message: message.slice(0, longestMessage),
    };
    await client.call(protocol.claims.failItem, { ...heldOf(item), ...failure }, { idempotent: true });
  }

  async giveBack(item: WorkItem): Promise<void> {
    const { client, protocol } = this.#options;
    await client.call(protocol.claims.returnItem, heldOf(item), { idempotent: true });
  }

  async end(): Promise<void> {
    const { client, protocol, worker } = this.#options;
    await client.call(protocol.claims.endWorker, { Worker: worker }, { idempotent: true });
  }
}

const heldOf = ({ JobId, GroupId, ItemId, Lease }: WorkItem) => ({ JobId, GroupId, ItemId, Lease });
