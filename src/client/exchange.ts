import { SqlError } from '../base/messages/sql-error.ts';
import { type Packet, packetStatus } from '../tds/packet/index.ts';
import { malformed } from '../tds/stream-error.ts';
import { type DoneKind, doneStatus, type EnvChange, type Token, TokenParser } from '../tds/token/index.ts';
import { modern } from '../tds/version.ts';
import { ClientError, lost } from './client-error.ts';
import { timerTime } from './options.ts';
import type { Listener, Wire } from './wire.ts';

/** What ends a request before its response does. */
export interface Limits {
  /** Cancels the request: the server is told to stop. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the request is cancelled; 0 for never. */
  readonly timeout?: number | undefined;
}

/** The receiver of a response. */
interface Hearers {
  /** Receives every token except session changes. */
  take(token: Token): void;
  change(change: EnvChange): void;
  /** Tells the server to stop. */
  attend(): void;
}

type DoneToken = Extract<Token, { token: DoneKind }>;

const isDone = (token: Token): token is DoneToken =>
  token.token === 'done' || token.token === 'doneProc' || token.token === 'doneInProc';

/** One request and its response: tokens are passed on as they arrive, the promise settles at the end. */
export class Exchange implements Listener {
  /** True as soon as something of the request may have reached the server. */
  sent = false;
  readonly done: Promise<void>;
  readonly #wire: Wire;
  readonly #cancelTimeout: number;
  readonly #hearers: Hearers;
  readonly #signal: AbortSignal | undefined;
  #parser: TokenParser;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #failure: SqlError | ClientError | undefined;
  /** True after the token that can be the last of a response. */
  #isComplete = false;
  #thrown: { readonly error: unknown } | undefined;
  #cancelled: { readonly reason: unknown } | undefined;
  #acknowledged = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #onAbort = () => this.cancel(this.#signal?.reason);

  /** `cancelTimeout` is how many milliseconds the server may take to acknowledge a cancel. */
  constructor(wire: Wire, hearers: Hearers, { signal, timeout = 0 }: Limits, cancelTimeout: number) {
    this.#wire = wire;
    this.#parser = new TokenParser(modern, wire.columns);
    this.#cancelTimeout = cancelTimeout;
    this.#hearers = hearers;
    this.#signal = signal;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (timeout > 0) this.#timer = setTimeout(() => this.#outOfTime(timeout), timerTime(timeout));
    wire.listener = this;
  }

  /** What cancelled it, if something has. */
  get cancelled(): { readonly reason: unknown } | undefined {
    return this.#cancelled;
  }

  /** Tells the server to stop; the exchange ends when it acknowledges that. */
  cancel(reason: unknown): void {
    if (this.#cancelled !== undefined) return;
    this.#cancelled = { reason };
    clearTimeout(this.#timer);
    const giveUp = () => this.#wire.destroy(new Error('it did not stop when told to'));
    this.#timer = setTimeout(giveUp, timerTime(this.#cancelTimeout));
    this.#wire.resume();
    this.#hearers.attend();
  }

  packet({ payload, status }: Packet): void {
    this.#parser.push(payload);
    if ((status & packetStatus.endOfMessage) === 0) {
      this.#drain();
      return;
    }
    this.#parser.end();
    this.#drain();
    if (!this.#isComplete && this.#cancelled === undefined) throw malformed('The response has no end.');
    // After an attention the server acknowledges it, in this message or in a separate one (MS-TDS 2.2.1.7).
    if (this.#cancelled !== undefined && !this.#acknowledged)
      this.#parser = new TokenParser(modern, this.#wire.columns);
    else this.#settle();
  }

  lost(error: Error | undefined): void {
    if (this.#cancelled === undefined) this.#end(() => this.#reject(lost(this.sent, error)));
    else this.#settle();
  }

  #outOfTime(timeout: number): void {
    this.cancel(
      new ClientError('timeout', `there was no response within ${timeout} milliseconds`, { sent: this.sent }),
    );
  }

  #drain(): void {
    for (let token = this.#parser.next(); token; token = this.#parser.next()) {
      this.#isComplete = false;
      if (token.token === 'row') this.#hand(token);
      else if (token.token === 'envChange') token.change && this.#hearers.change(token.change);
      else if (isDone(token)) this.#takeDone(token);
      else {
        if (token.token === 'error') this.#failure ??= errorOf(token);
        this.#hand(token);
      }
    }
  }

  #takeDone(token: DoneToken): void {
    const { status } = token;
    this.#isComplete = (status & doneStatus.more) === 0;
    if ((status & doneStatus.error) !== 0) {
      this.#failure ??= new ClientError('protocol', 'the server reports an error but not which', { sent: true });
    }
    if (token.token === 'done' && (status & doneStatus.attention) !== 0) this.#acknowledged = true;
    else this.#hand(token);
  }

  /** An error of the receiver ends the request, but the response is read to its end first. */
  #hand(token: Token): void {
    if (this.#thrown !== undefined || this.#cancelled !== undefined) return;
    try {
      this.#hearers.take(token);
    } catch (error) {
      this.#thrown = { error };
    }
  }

  #settle(): void {
    const failed = this.#cancelled ?? this.#thrown;
    if (failed !== undefined) this.#end(() => this.#reject('reason' in failed ? failed.reason : failed.error));
    else if (this.#failure !== undefined) this.#end(() => this.#reject(this.#failure));
    else this.#end(this.#resolve);
  }

  #end(settle: () => void): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    if (this.#wire.listener === this) this.#wire.listener = undefined;
    settle();
  }
}

const errorOf = (token: Extract<Token, { token: 'error' | 'info' }>): SqlError =>
  new SqlError(token.number, token.text, {
    severity: token.severity,
    state: token.state,
    procedure: token.procedure,
    line: token.line,
  });
