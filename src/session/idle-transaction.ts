import { ruleBroken, type SqlError, sqlError } from '../base/sql-error.ts';
import { rollbackTransaction } from '../tsql/transactions.ts';
import type { SessionHost } from './session-host.ts';

/** Why a transaction was ended: what it held while nothing came, or that it lasted for too long. */
type Why = 'locks' | 'snapshot' | 'too long';

/** What the transaction of a client holds that does harm to others for as long as it lasts. */
export function heldBy({ transactions, tempDb, identity }: SessionHost): 'locks' | 'snapshot' | undefined {
  if (transactions.count === 0) return undefined;
  if (transactions.hasWritten || tempDb.keepsAny(identity.spid)) return 'locks';
  return transactions.holdsSnapshot ? 'snapshot' : undefined;
}

/**
 * Ends the transaction of a client that has written and then says nothing for too long: everybody who wants to write
 * there waits for it. So does one that only keeps a snapshot: what others delete stays in the store for its sake. The
 * client hears of it at its next request.
 */
export class IdleTransaction {
  readonly #host: SessionHost;
  /** Milliseconds of silence; 0 sets no limit. */
  readonly #longest: number;
  #timer: NodeJS.Timeout | undefined;
  /** Requests that run: with MARS there may be several. */
  #running = 0;
  /** When the last request ended; undefined while one runs. */
  #since: number | undefined;
  #ending: Promise<void> | undefined;
  /** What it held, when it was ended and the client does not know yet. */
  #ended: Why | undefined;
  /** True when it is to be ended with the request that runs. */
  #isExpired = false;
  /** True when that request has told the client so. */
  #isTold = false;

  constructor(host: SessionHost, longest: number) {
    this.#host = host;
    this.#longest = longest;
  }

  /** A request begins; a promise when the transaction is being ended just now. */
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

  /** What the client is to be told, once: its transaction was ended. */
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
   * The request that runs has told the client that the transaction is ended. One that was over before it could be stopped has
   * not: without the news at the next request the client would go on as if in its transaction, outside of any.
   */
  told(): void {
    this.#isTold = this.#isExpired;
    if (this.#ended === 'too long') this.#ended = undefined;
  }

  /** Ends the transaction, whatever it does: it has lasted for too long. */
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

  /** Rolls it back; the client is to hear why, unless it knows. */
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
