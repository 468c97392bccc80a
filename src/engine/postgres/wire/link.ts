import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { beforeSending, sendAfterTurn } from '../../../base/threads/send-after-turn.ts';
import type { Compiled } from '../../compile.ts';
import type { Session } from '../connect/open-session.ts';
import type { Server } from '../connect/server.ts';
import { statementName } from '../connect/statement-names.ts';
import { CopyIn } from '../copy/copy-in.ts';
import { assureKept } from '../doubt.ts';
import { isLackOfRoom, isLockTimeout, isLoss, translated } from '../errors.ts';
import { type Answer, Batch } from './batch.ts';

/** How a statement is to be run. */
interface QueryOptions {
  readonly wide?: boolean;
  /** False for a statement that is not worth preparing. */
  readonly prepared?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** True for a read whose result may be shared. */
  readonly shared?: boolean;
}

/** Thrown if statements that were to be committed together were not. */
export class NotKept extends Error {
  /** The index of the statement that failed. */
  readonly at: number | undefined;

  constructor(cause: unknown, at: number | undefined) {
    super('Statements that were sent to be committed together failed.', { cause });
    this.at = at;
  }
}

/** Milliseconds after which a cancel is repeated. */
const cancelAgain = 200;

/** One connection in use. It translates every error, and passes cancels to the server. */
export class Link {
  readonly #client: Client;
  readonly session: Session;
  readonly #server: Server;
  readonly #pipelined: boolean;
  /** Statements to be sent at the end of this turn of the event loop. */
  #batch: Batch | undefined;
  readonly #onError = () => {
    this.#broken = true;
  };
  /** The sessions that it works for, and since when. */
  #who: readonly number[] = [];
  #since = 0;
  #broken = false;
  #waiting = false;
  /** The number of unanswered statements, and when the latest was sent. */
  #pending = 0;
  #askedAt = 0;
  #transactionId = '';
  #commits = 0;

  /** A `pipelined` connection sends all statements of one turn of the event loop together. */
  constructor(session: Session, server: Server, pipelined: boolean) {
    this.session = session;
    this.#client = session.client;
    this.#server = server;
    this.#pipelined = pipelined;
    this.#client.on('error', this.#onError);
    server.stalls.watch(this);
  }

  /** Records the sessions that it works for from now on, and since when they have waited. */
  serve(who: readonly (number | undefined)[], since: number = performance.now()): void {
    this.#who = who.filter((each) => each !== undefined);
    this.#since = since;
  }

  /** The sessions that it works for, since when, and the PostgreSQL process that serves it. */
  get service(): { readonly who: readonly number[]; readonly since: number; readonly processId: number } {
    return { who: this.#who, since: this.#since, processId: this.session.processId };
  }

  get broken(): boolean {
    return this.#broken;
  }

  /**
   * Runs text without parameters and returns the result of the last statement; several statements are one round trip.
   */
  async exec(text: string, signal?: AbortSignal): Promise<string> {
    this.#send();
    if (this.#pipelined) sendAfterTurn(this.#client.connection.stream);
    return this.#cancellable(text, signal, async () => {
      const results = [await this.#client.query(text)].flat();
      const [row] = results.at(-1)?.rows ?? [];
      if (row?.transaction !== undefined) this.#transactionId = row.transaction;
      return results.at(-1)?.command ?? '';
    });
  }

  /**
   * The same as prepared statements, sent together with the other statements of this turn; none is run after one that
   * fails.
   */
  async #execTogether(statements: readonly string[], signal?: AbortSignal): Promise<string> {
    return this.#cancellable(statements.join('; '), signal, async () => {
      this.#batch ??= this.#newBatch();
      const batch = this.#batch;
      const answers = await Promise.all(
        statements.map((text) => batch.ask({ text, name: statementName(text), parameters: [], wide: false })),
      );
      const last = answers.at(-1);
      if (last?.columns[0] === 'transaction') this.#transactionId = String(last.rows[0]?.[0]);
      return last?.done ?? '';
    });
  }

  /** The server's number for the most recently begun transaction; empty for a read-only one. */
  get transactionId(): string {
    return this.#transactionId;
  }

  /** The time (`performance.now()`) since which it has waited for an answer; undefined if it is not waiting. */
  get askedAt(): number | undefined {
    return this.#pending === 0 ? undefined : this.#askedAt;
  }

  /** Milliseconds that this node may be silent in a transaction before the server ends it. */
  get longestRest(): number {
    return this.#server.longestRest;
  }

  /** True while it waits for the answer to a commit. */
  get isCommitting(): boolean {
    return this.#commits > 0;
  }

  /**
   * Commits the open transaction, and returns the server's answer. If the connection is lost in the meantime, the
   * server is asked over another one for the outcome: Unreachable if it was not committed, InDoubt if that is unknown.
   */
  async commit(): Promise<string> {
    // Another transaction may be begun behind this one before the answer arrives.
    const transactionId = this.#transactionId;
    this.#commits++;
    try {
      return await (this.#pipelined ? this.#commitTogether() : this.exec('commit'));
    } catch (error) {
      if (!this.#broken) throw error;
      await assureKept(this.#server, transactionId, this.session.history, error);
      return 'COMMIT';
    } finally {
      this.#commits--;
    }
  }

  /** Later statements belong to another transaction, which must not fail with this one's commit. */
  #commitTogether(): Promise<string> {
    const committed = this.#execTogether(['commit']);
    sendAfterTurn(this.#client.connection.stream);
    this.#send();
    return committed;
  }

  /**
   * Runs statements as one message that the server commits by itself: either all are committed, which resolves to the
   * result of the first, or none. If the connection is lost, the outcome is unknown.
   */
  async commitAll(statements: readonly [Compiled, ...Compiled[]]): Promise<Answer> {
    this.#send();
    sendAfterTurn(this.#client.connection.stream);
    const batch = new Batch();
    const ask = ({ text, parameters }: Compiled): Promise<Answer> => {
      const answer = batch.ask({ text, name: statementName(text), parameters, wide: false });
      // Failures are reported through `ready`.
      answer.catch(() => {});
      return answer;
    };
    const [first, ...others] = statements;
    const answer = ask(first);
    for (const other of others) ask(other);
    this.#commits++;
    try {
      await this.#answered(statements.at(-1)?.text ?? '', () => {
        this.#client.query(batch);
        return batch.ready;
      });
      return await answer;
    } catch (error) {
      throw new NotKept(error, batch.failed);
    } finally {
      this.#commits--;
    }
  }

  /** The number of bytes received from the server so far. */
  get heard(): number {
    const { stream } = this.#client.connection;
    return stream instanceof Socket ? stream.bytesRead : 0;
  }

  /** Ends the connection; callers that wait for an answer get the error. */
  giveUp(error: Error): void {
    this.#client.connection.stream.destroy(error);
  }

  /** Begins a transaction, which may wait for a lock. */
  async begin(statements: readonly string[], signal?: AbortSignal): Promise<void> {
    this.#waiting = true;
    this.#transactionId = '';
    try {
      if (this.#pipelined) await this.#execTogether(statements, signal);
      else await this.exec(statements.join('; '), signal);
    } finally {
      this.#waiting = false;
    }
  }

  /** Makes a `begin` that waits for a lock fail. */
  async stopWaiting(): Promise<void> {
    if (this.#waiting) await this.cancel();
  }

  /** Cancels the running statement. */
  cancel(): Promise<void> {
    return this.#server.cancel(this.session);
  }

  query({ text, parameters }: Compiled, options: QueryOptions = {}): Promise<Answer> {
    const name = options.prepared === false ? undefined : statementName(text);
    const statement = { text, name, parameters, wide: options.wide === true };
    return this.#cancellable(text, options.signal, () => {
      this.#batch ??= this.#newBatch();
      const answer = options.shared === true ? this.#batch.askAlike(statement) : this.#batch.ask(statement);
      if (!this.#pipelined) this.#send();
      return answer;
    });
  }

  /** Sends statements together, in order; those that follow a failed one are not run. */
  queryAll(statements: readonly Compiled[], signal?: AbortSignal): Promise<readonly Answer[]> {
    const [first] = statements;
    if (first === undefined) return Promise.resolve([]);
    return this.#cancellable(first.text, signal, () => {
      this.#batch ??= this.#newBatch();
      const batch = this.#batch;
      const answers = statements.map(({ text, parameters }) =>
        batch.ask({ text, name: statementName(text), parameters, wide: false }),
      );
      if (!this.#pipelined) this.#send();
      return Promise.all(answers);
    });
  }

  #newBatch(): Batch {
    if (this.#pipelined) beforeSending(() => this.#send());
    return new Batch();
  }

  #send(): void {
    const batch = this.#batch;
    this.#batch = undefined;
    if (batch !== undefined) this.#client.query(batch);
  }

  /** Copies rows in; `text` is COPY … FROM STDIN. Resolves to their number. */
  copyIn(text: string, chunks: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<number> {
    return this.#cancellable(text, signal, () => this.#client.query(new CopyIn(text)).send(chunks));
  }

  /** Rolls back the open transaction; a connection that cannot even do that is dropped. */
  async rollback(): Promise<void> {
    if (this.#broken) return;
    await this.exec('rollback').catch(this.#onError);
  }

  /**
   * Sends a statement as a keepalive from time to time while idle, so that the server can distinguish a node that waits
   * for its client from one that hangs.
   */
  keepAwake(): Disposable {
    const say = () => {
      // The next user of the connection observes the failure.
      if (this.#pending === 0 && !this.#broken) this.exec('select 1').catch(() => {});
    };
    const timer = setInterval(say, this.#server.longestRest / 3).unref();
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** Releases the session for use by others. */
  release(): void {
    this.#client.off('error', this.#onError);
    this.#server.stalls.forget(this);
  }

  async #cancellable<T>(text: string, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
    if (signal === undefined) return this.#answered(text, run);
    signal.throwIfAborted();
    let cancelled: Promise<void> | undefined;
    const { promise: over, resolve: end } = Promise.withResolvers<'over'>();
    const abort = () => {
      cancelled = this.#cancelUntil(over);
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await this.#answered(text, run);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      end('over');
      signal.removeEventListener('abort', abort);
      if (cancelled !== undefined) await this.#awaited(cancelled);
    }
  }

  /** A cancel in progress would otherwise hit the next statement of this connection; until then it is not idle. */
  async #awaited(cancelled: Promise<void>): Promise<void> {
    this.#pending++;
    try {
      await cancelled;
    } finally {
      this.#pending--;
    }
  }

  async #answered<T>(text: string, run: () => Promise<T>): Promise<T> {
    this.#pending++;
    this.#askedAt = performance.now();
    try {
      return await run();
    } catch (error) {
      if (isLoss(error)) this.#broken = true;
      const known = translated(error, text, this.#server.address.database);
      if (isLockTimeout(known)) this.#server.hungCopies.look();
      if (isLackOfRoom(error)) this.#server.ranOut(error.message);
      throw known;
    } finally {
      this.#pending--;
    }
  }

  /** PostgreSQL ignores a cancel that arrives before the statement has started, so one without effect is repeated. */
  async #cancelUntil(over: Promise<'over'>): Promise<void> {
    do await this.cancel();
    while ((await Promise.race([over, delay(cancelAgain)])) !== 'over');
  }
}
