import { ruleBroken, sqlError } from '../../base/messages/sql-error.ts';
import type { PayloadStream } from '../../tds/packet/index.ts';
import type { SessionLimits } from '../context.ts';

/** Bytes of a load that are read before its transaction begins. */
const beforehand = 1024 * 1024;

/** The minimum average rate of a load in bytes per millisecond, once others may be waiting for it. */
const slowest = 10;

/**
 * Reads the bytes of a bulk load and enforces a minimum rate, because others may be waiting for its transaction.
 * `holds` says whether the client's own transaction already holds locks.
 */
export class LoadPace {
  readonly #stream: PayloadStream;
  readonly #signal: AbortSignal;
  readonly #limits: Pick<SessionLimits, 'idleTransactionTimeout' | 'transactionTimeout'>;
  readonly #holds: () => boolean;
  #bytes = 0;
  /** Since when others may be waiting for it, the bytes received by then, and the time spent waiting for more since. */
  #since: number | undefined;
  #before = 0;
  #waited = 0;

  constructor(
    stream: PayloadStream,
    signal: AbortSignal,
    limits: Pick<SessionLimits, 'idleTransactionTimeout' | 'transactionTimeout'>,
    holds: () => boolean,
  ) {
    this.#stream = stream;
    this.#signal = signal;
    this.#limits = limits;
    this.#holds = holds;
  }

  /** The next bytes; fails for a load that arrives too slowly (50000) or takes too long in total (3966). */
  async next(): Promise<Buffer | undefined> {
    const began = performance.now();
    if (this.#since === undefined && this.#holds()) this.#begin();
    const most = this.#since === undefined ? Number.POSITIVE_INFINITY : this.#left(began - this.#since);
    const block = await this.#wait(most);
    this.#bytes += block?.length ?? 0;
    if (this.#since !== undefined) this.#waited += performance.now() - began;
    else if (this.#bytes > beforehand) this.#begin();
    return block;
  }

  #begin(): void {
    this.#since = performance.now();
    this.#before = Math.min(this.#bytes, beforehand);
  }

  /** Milliseconds that the next bytes may take. */
  #left(took: number): number {
    const { idleTransactionTimeout: idle, transactionTimeout: all } = this.#limits;
    if (all > 0 && took > all) throw sqlError(3966);
    if (idle === 0) return Number.POSITIVE_INFINITY;
    return Math.max(0, idle + (this.#bytes - this.#before) / slowest - this.#waited);
  }

  async #wait(most: number): Promise<Buffer | undefined> {
    if (most === Number.POSITIVE_INFINITY) return this.#stream.next(this.#signal);
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(this.#tooSlow()), most);
    try {
      return await this.#stream.next(AbortSignal.any([this.#signal, limit.signal]));
    } finally {
      clearTimeout(timer);
    }
  }

  #tooSlow(): Error {
    const seconds = this.#limits.idleTransactionTimeout / 1000;
    return ruleBroken(
      `The bulk load was rolled back, because it arrived at less than ${slowest} KB per second for more than ` +
        `${seconds} seconds while others may be waiting for it.`,
    );
  }
}
