import type { Row } from '../base/stored.ts';
import type {
  AnyProcedure,
  CallInput,
  CallResult,
  Columns,
  Outcomes,
  Params,
  Procedure,
} from '../procedure/declare.ts';
import type { Param } from '../procedure/param.ts';
import type { IsolationLevel } from '../tds/message/transaction-request.ts';
import type { BulkRows, BulkTarget } from './bulk.ts';
import type { BulkOptions, Caller, QueriedRow, RequestOptions, StreamedEnd, StreamedRow } from './caller.ts';
import { ClientError } from './client-error.ts';
import type { ConnectOptions } from './options.ts';
import { Pool, type PoolOptions } from './pool.ts';
import { type QueryParams, type QueryResult, rowsAs } from './query.ts';
import { type RetryOptions, retrying } from './retry.ts';
import type { RowStream } from './row-stream.ts';
import type { Session } from './session.ts';
import { streaming } from './streaming.ts';

/** The options of a client. */
export type ClientOptions = ConnectOptions & PoolOptions & { readonly retry?: RetryOptions };

/** How a transaction is run. */
export interface TransactionOptions {
  readonly isolation?: IsolationLevel;
  readonly signal?: AbortSignal;
}

/**
 * A client of a Granary, or of a SQL Server with the same procedures: it knows the declarations, so that inputs and
 * results of a call are type-checked. Connections are pooled, and what is safe to retry is retried.
 */
export class Client implements Caller, AsyncDisposable {
  readonly #options: ClientOptions;
  readonly #pool: Pool;
  /** The clients of other databases created from this one. */
  readonly #others: Map<string, Client>;

  private constructor(options: ClientOptions, others: Map<string, Client>) {
    this.#options = options;
    this.#pool = new Pool(options, options);
    this.#others = others;
    others.set(options.database.toLowerCase(), this);
  }

  /** A client that connects when it is first needed. */
  static create(options: ClientOptions): Client {
    return new Client(options, new Map());
  }

  /** Connects and logs in, so that errors in the options are reported at once. */
  static async connect(options: ClientOptions): Promise<Client> {
    const client = Client.create(options);
    await client.session(async () => {});
    return client;
  }

  /** The database that it asks. */
  get databaseName(): string {
    return this.#options.database;
  }

  /** The client of another database of the same server; it is closed together with this one. */
  database(name: string): Client {
    const known = this.#others.get(name.toLowerCase());
    if (known !== undefined) return known;
    const other = new Client({ ...this.#options, database: name }, this.#others);
    if (this.#pool.isClosed) other.#pool.close();
    return other;
  }

  call<P extends Params, O extends Outcomes>(
    procedure: Procedure<P, O>,
    input: CallInput<P>,
    options: RequestOptions = {},
  ): Promise<CallResult<P, O>> {
    const harmless = options.idempotent ?? onlyReads(procedure, input);
    return this.#retrying((session) => session.call(procedure, input, options), { ...options, idempotent: harmless });
  }

  stream<P extends Params, O extends Outcomes>(
    procedure: Procedure<P, O>,
    input: CallInput<P>,
    options: RequestOptions = {},
  ): RowStream<StreamedRow<O>, StreamedEnd<P, O>> {
    return streaming(
      (work, signal) => this.session(work, { signal }),
      (session, push, limits) => session.callInto(procedure, input, push, limits),
      options,
    );
  }

  query(text: string, params: QueryParams = {}, options: RequestOptions = {}): Promise<QueryResult> {
    return this.#retrying((session) => session.query(text, params, options), options);
  }

  async select<C extends Columns>(
    columns: C,
    text: string,
    params: QueryParams = {},
    options: RequestOptions = {},
  ): Promise<Row<C>[]> {
    return rowsAs(columns, await this.query(text, params, options));
  }

  streamQuery(
    text: string,
    params: QueryParams = {},
    options: RequestOptions = {},
  ): RowStream<QueriedRow, QueryResult> {
    return streaming(
      (work, signal) => this.session(work, { signal }),
      (session, push, limits) => session.queryInto(text, params, push, limits),
      options,
    );
  }

  /** Rows in an array are sent again after a deadlock; an iterator can be read only once. */
  bulkLoad<C extends Columns>(target: BulkTarget<C>, rows: BulkRows<C>, options: BulkOptions<C> = {}): Promise<number> {
    const load = (session: Session) => session.bulkLoad(target, rows, options);
    if (Array.isArray(rows)) return this.#retrying(load, options);
    return this.#pool.use(load, options.signal);
  }

  /**
   * Runs work on one connection, which keeps its temporary tables and options; nothing of it is retried. The session is
   * of no use after the work.
   */
  async session<T>(
    work: (session: Session) => Promise<T>,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<T> {
    const acquire = () => this.#pool.acquire(signal);
    const session = await retrying(acquire, { harmless: undefined }, this.#options.retry ?? {}, signal);
    return this.#pool.lend(session, work);
  }

  /**
   * Runs work in a transaction that is committed when it resolves and rolled back when it rejects. Work that the server
   * rolled back by itself, or whose connection broke before the commit was sent, is retried. A request outside of the
   * transaction is refused: one after the work, or after the server or a statement has ended it. The signal cancels the
   * requests of the work too.
   */
  transaction<T>(
    work: (transaction: Caller) => Promise<T>,
    { isolation, signal }: TransactionOptions = {},
  ): Promise<T> {
    // What breaks before the commit has no effect, so it may be retried.
    const progress = { committing: false };
    const once = () =>
      this.#pool.use(async (session) => {
        progress.committing = false;
        await session.begin(isolation, { signal });
        session.keepToTransaction(signal);
        const result = await rollingBack(session, work);
        if (!session.connection.inTransaction) {
          throw new ClientError('protocol', 'the server has ended the transaction', { sent: true });
        }
        progress.committing = true;
        await session.commit({ signal });
        if (session.connection.inTransaction) {
          // T-SQL has begun transactions within it and not ended them.
          throw new ClientError('protocol', 'nothing is committed: a BEGIN TRAN of the work has no COMMIT', {
            sent: true,
          });
        }
        return result;
      }, signal);
    const tried = {
      get harmless() {
        return progress.committing ? undefined : 'no commit had been sent';
      },
    };
    return retrying(once, tried, this.#options.retry ?? {}, signal);
  }

  /** Ends every connection at once, those of the databases that were made from this client too. */
  async close(): Promise<void> {
    for (const client of this.#others.values()) client.#pool.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #retrying<T>(work: (session: Session) => Promise<T>, { signal, idempotent = false }: RequestOptions): Promise<T> {
    const tried = { harmless: idempotent ? 'the request is idempotent' : undefined };
    return retrying(() => this.#pool.use(work, signal), tried, this.#options.retry ?? {}, signal);
  }
}

/** Milliseconds after which closing the connection is the quicker way to roll back. */
const rollbackTimeout = 5_000;

/** Rolls back a transaction whose work failed; the original failure is thrown. */
async function rollingBack<T>(session: Session, work: (transaction: Caller) => Promise<T>): Promise<T> {
  try {
    return await work(session);
  } catch (error) {
    // A connection on which this fails, or still runs something, is closed, and the server rolls back what it began.
    if (session.connection.inTransaction && session.isIdle) {
      await session.rollback({ timeout: rollbackTimeout }).catch(() => {});
    }
    throw error;
  }
}

/** Whether the declaration says that a call with this input changes nothing. */
function onlyReads(procedure: AnyProcedure, input: Readonly<Record<string, unknown>>): boolean {
  if (procedure.accessFor === undefined) return procedure.access === 'read';
  const params: Readonly<Record<string, Param>> = procedure.params;
  const defaults = Object.fromEntries(Object.entries(params).map(([name, param]) => [name, param.default ?? null]));
  return procedure.accessFor({ ...defaults, ...input }) === 'read';
}
