import { ruleBroken, sqlError } from '../base/sql-error.ts';
import type { PayloadStream } from '../tds/packet/index.ts';
import type { SessionLimits } from './context.ts';

/** So many bytes of a load are read before its transaction begins. */
const beforehand = 1024 * 1024;

/** Bytes a millisecond that a load must come with on average, once others may wait for it. */
const slowest = 10;

/**
 * Takes the bytes of a bulk load, and minds that it, for whose transaction others may wait, does not take as long as its
 * client likes; `holds` says that the client's own transaction holds something already.
 */
export class LoadPace {
  readonly #stream: PayloadStream;
  readonly #signal: AbortSignal;
  readonly #limits: Pick<SessionLimits, 'idleTransactionTimeout' | 'transactionTimeout'>;
  readonly #holds: () => boolean;
  #bytes = 0;
  /** Since when others may wait for it, what had come by then, and how long more was waited for since. */
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

  /** The next bytes; refuses a load that comes too slowly (50000), or that takes too long in all (3966). */
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

  /** Milliseconds that may be waited now. */
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
      `The bulk load was undone, because it came with less than ${slowest} KB a second for more than ${seconds} seconds ` +
        'while others may wait for it.',
    );
  }
}
