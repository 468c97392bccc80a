import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { beforeSending, sendAfterTurn } from '../../base/send-after-turn.ts';
import type { Compiled } from '../compile.ts';
import { type Answer, Batch } from './batch.ts';
import { CopyIn } from './copy-in.ts';
import { assureKept } from './doubt.ts';
import { isLockTimeout, isLoss, translated } from './errors.ts';
import type { Session } from './open-session.ts';
import type { Server } from './server.ts';
import { statementName } from './statement-names.ts';

/** How a statement is to be run. */
interface QueryOptions {
  readonly wide?: boolean;
  /** False for what is not worth a prepared statement. */
  readonly prepared?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** True for one that reads, and whose answer others may have too. */
  readonly shared?: boolean;
}

/** Why statements that were to be committed together were not. */
export class NotKept extends Error {
  /** The place of the statement that failed. */
  readonly at: number | undefined;

  constructor(cause: unknown, at: number | undefined) {
    super('Statements that were sent to be committed together failed.', { cause });
    this.at = at;
  }
}

/** Milliseconds after which a cancel is repeated. */
const cancelAgain = 200;

/** One connection in use; every error leaves translated, and a cancel reaches the server. */
export class Link {
  readonly #client: Client;
  readonly session: Session;
  readonly #server: Server;
  readonly #pipelined: boolean;
  /** The statements that wait for the end of the turn. */
  #batch: Batch | undefined;
  readonly #onError = () => {
    this.#broken = true;
  };
  /** The sessions that it works for, and since when. */
  #who: readonly number[] = [];
  #since = 0;
  #broken = false;
  #waiting = false;
  /** Statements that have no answer yet, and when the latest was asked. */
  #pending = 0;
  #askedAt = 0;
  #transactionId = '';
  #commits = 0;

  /** A `pipelined` connection sends all that was asked of it in one turn of the event loop at once. */
  constructor(session: Session, server: Server, pipelined: boolean) {
    this.session = session;
    this.#client = session.client;
    this.#server = server;
    this.#pipelined = pipelined;
    this.#client.on('error', this.#onError);
    server.stalls.watch(this);
  }

  /** Notes for whom it works from now on, and since when they wait for that. */
  serve(who: readonly (number | undefined)[], since: number = performance.now()): void {
    this.#who = who.filter((each) => each !== undefined);
    this.#since = since;
  }

  /** For whom it works, since when, and which process of PostgreSQL does. */
  get service(): { readonly who: readonly number[]; readonly since: number; readonly processId: number } {
    return { who: this.#who, since: this.#since, processId: this.session.processId };
  }

  get broken(): boolean {
    return this.#broken;
  }

  /** Runs text without parameters and returns what the last statement answers; several statements are one round trip. */
  async exec(text: string, signal?: AbortSignal): Promise<string> {
    this.#send();
    if (this.#pipelined) sendAfterTurn(this.#client.connection.stream);
    return this.#cancellable(text, signal, async () => {
      const results = [await this.#client.query(text)].flat();
      const [told] = results.at(-1)?.rows ?? [];
      if (told?.transaction !== undefined) this.#transactionId = told.transaction;
      return results.at(-1)?.command ?? '';
    });
  }

  /** The same as prepared statements, sent with what else is asked of it in this turn; none is run after one that fails. */
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

  /** What the server calls the transaction that was begun last; empty for one that only reads. */
  get transactionId(): string {
    return this.#transactionId;
  }

  /** Since when it waits for an answer, by `performance.now()`; undefined while it waits for none. */
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
   * Commits what was begun, and returns what the server answers. Where the connection is lost under it the server is asked
   * on another what became of it: Unreachable when nothing was kept, InDoubt when nobody knows.
   */
  async commit(): Promise<string> {
    // Another transaction may begin behind this one before the answer is there.
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

  /** What is asked of it after this belongs to another transaction, which must not go down with this one's commit. */
  #commitTogether(): Promise<string> {
    const committed = this.#execTogether(['commit']);
    sendAfterTurn(this.#client.connection.stream);
    this.#send();
    return committed;
  }

  /**
   * Runs statements as one message that the server commits by itself: kept as a whole, which resolves to the answer of the first,
   * or not at all. Where the connection is lost nobody knows.
   */
  async commitAll(statements: readonly [Compiled, ...Compiled[]]): Promise<Answer> {
    this.#send();
    sendAfterTurn(this.#client.connection.stream);
    const batch = new Batch();
    const ask = ({ text, parameters }: Compiled): Promise<Answer> => {
      const answer = batch.ask({ text, name: statementName(text), parameters, wide: false });
      // What fails is told by `ready`.
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

  /** The bytes that came from the server so far. */
  get heard(): number {
    const { stream } = this.#client.connection;
    return stream instanceof Socket ? stream.bytesRead : 0;
  }

  /** Ends the connection; whoever waits for an answer gets the error. */
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

  /** Stops the statement that runs now. */
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

  /** Sends statements together, each behind the one before; what follows one that fails is not run. */
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

  /** Undoes the open transaction; a connection that cannot even do that is given up. */
  async rollback(): Promise<void> {
    if (this.#broken) return;
    await this.exec('rollback').catch(this.#onError);
  }

  /**
   * Says something now and then while nothing is asked, so that the server can tell a node that waits for its client from one
   * that stands still.
   */
  keepAwake(): Disposable {
    const say = () => {
      // Whoever uses the connection next hears of a failure.
      if (this.#pending === 0 && !this.#broken) this.exec('select 1').catch(() => {});
    };
    const timer = setInterval(say, this.#server.longestRest / 3).unref();
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  /** Lets go of the session, which others may use from now on. */
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

  /** A cancel under way would else hit whatever this connection does next; until then it is not at rest. */
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
      const known = translated(error, text);
      if (isLockTimeout(known)) this.#server.copies.look();
      throw known;
    } finally {
      this.#pending--;
    }
  }

  /** PostgreSQL forgets a cancel that comes before it has begun with the statement, so one that was not heard is repeated. */
  async #cancelUntil(over: Promise<'over'>): Promise<void> {
    do await this.cancel();
    while ((await Promise.race([over, delay(cancelAgain)])) !== 'over');
  }
}
