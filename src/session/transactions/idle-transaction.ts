import { ruleBroken, type SqlError, sqlError } from '../../base/messages/sql-error.ts';
import { rollbackTransaction } from '../../tsql/transactions.ts';
import type { SessionHost } from '../session-host.ts';

/** Why a transaction was ended: what it held while it was idle, or that it lasted too long. */
type Why = 'locks' | 'snapshot' | 'too long';

/** What a client's transaction holds to the detriment of others. */
export function heldBy({ transactions, tempDb, identity }: SessionHost): 'locks' | 'snapshot' | undefined {
  if (transactions.count === 0) return undefined;
  if (transactions.hasWritten || tempDb.keepsAny(identity.spid)) return 'locks';
  return transactions.holdsSnapshot ? 'snapshot' : undefined;
}

/**
 * Ends a client's transaction that has written and is then idle for too long, because every other writer waits for it.
 * The same holds for one that only keeps a snapshot, because the store keeps what others delete for its sake. The
 * client is told at its next request.
 */
export class IdleTransaction {
  readonly #host: SessionHost;
  /** Milliseconds of idleness; 0 means no limit. */
  readonly #longest: number;
  #timer: NodeJS.Timeout | undefined;
  /** Running requests; with MARS there may be several. */
  #running = 0;
  /** When the last request ended; undefined while one runs. */
  #since: number | undefined;
  #ending: Promise<void> | undefined;
  /** What it held, if it was ended and the client has not been told yet. */
  #ended: Why | undefined;
  /** True if it is to be ended together with the running request. */
  #isExpired = false;
  /** True if that request has told the client. */
  #isTold = false;

  constructor(host: SessionHost, longest: number) {
    this.#host = host;
    this.#longest = longest;
  }

  /** A request begins; returns a promise if the transaction is just being ended. */
  begin(): Promise<void> | undefined {
    this.#since = undefined;
    this.#running++;
    return this.#ending;
  }

  /** A request has ended. */
  end(): void {
    if (--this.#running > 0) return;
    if (this.#isExpired) {
      const why = this.#isTold ? undefined : 'too long';
      this.#isExpired = false;
      this.#isTold = false;
      if (this.#held !== undefined) this.#ending = this.#rollBack(why);
      return;
    }
    if (this.#longest === 0 || this.#held === undefined) return;
    this.#since = performance.now();
    this.#timer ??= this.#wait(this.#longest);
  }

  /** The error that tells the client, once, that its transaction was ended. */
  takeNews(): SqlError | undefined {
    const held = this.#ended;
    if (held === undefined) return undefined;
    this.#ended = undefined;
    if (held === 'too long') return sqlError(3966);
    const [did, harm] =
      held === 'locks' ? ['had written', 'others may wait for it'] : ['kept a snapshot', 'the store grew'];
    return ruleBroken(
      `The transaction was rolled back, because it ${did} and then nothing came for ${this.#longest / 1000} seconds ` +
        `while ${harm}.`,
    );
  }

  /**
   * The running request has told the client that its transaction was ended. A request that finished before it could be
   * stopped has not: unless the next request reports it, the client would unknowingly continue outside any transaction.
   */
  told(): void {
    this.#isTold = this.#isExpired;
    if (this.#ended === 'too long') this.#ended = undefined;
  }

  /** Ends the transaction, whatever it is doing, because it has lasted too long. */
  expire(): void {
    if (this.#running > 0) this.#isExpired = true;
    else if (this.#held !== undefined) this.#ending ??= this.#rollBack('too long');
  }

  /** The session is over. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#ending;
  }

  get #held(): 'locks' | 'snapshot' | undefined {
    return heldBy(this.#host);
  }

  #wait(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined;
      if (this.#since === undefined || this.#held === undefined) return;
      const left = this.#since + this.#longest - performance.now();
      if (left > 0) this.#timer = this.#wait(left);
      else this.#ending ??= this.#rollBack(this.#held);
    }, milliseconds).unref();
  }

  /** Rolls it back; the client will be told why, unless it already knows. */
  async #rollBack(why: Why | undefined): Promise<void> {
    const log = this.#host.log.lines();
    try {
      await rollbackTransaction(this.#host);
      this.#ended = why;
      if (why === 'locks' || why === 'snapshot') {
        log.warn('an idle transaction was rolled back', { milliseconds: this.#longest });
      }
    } catch (error) {
      log.error('an idle transaction could not be rolled back', { error: String(error) });
    } finally {
      this.#ending = undefined;
    }
  }
}
