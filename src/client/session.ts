import type { Row } from '../base/stored.ts';
import type { CallInput, CallResult, Columns, Outcomes, Params, Procedure } from '../procedure/declare.ts';
import type { IsolationLevel, TransactionAction } from '../tds/message/transaction-request.ts';
import type { Token } from '../tds/token/index.ts';
import { type BulkRows, type BulkTarget, bulkPlan } from './bulk.ts';
import { callRequest } from './call.ts';
import type { BulkOptions, Caller, QueriedRow, RequestOptions, StreamedEnd, StreamedRow } from './caller.ts';
import { ClientError } from './client-error.ts';
import type { ClientConnection } from './connection.ts';
import type { Limits } from './exchange.ts';
import { Answer, Ending } from './outcome.ts';
import { QueryAnswer, type QueryParams, type QueryResult, rowsAs, textRequest } from './query.ts';
import type { RowStream } from './row-stream.ts';
import { streaming } from './streaming.ts';

/**
 * A connection in use, with all operations, one request after another. A request that follows a stream does not wait
 * for the stream's reader: the rest of the rows is then read ahead.
 */
export class Session implements Caller {
  readonly connection: ClientConnection;
  /** True once T-SQL may have changed the session: options, temporary tables, a database. */
  isUsed = false;
  readonly #timeout: number;
  readonly #pending = new Set<Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();
  #transaction: { readonly signal: AbortSignal | undefined } | undefined;
  #leavingStreams: AbortController | undefined;
  #isOver = false;

  /** `timeout` is the default of a request in milliseconds; 0 for no limit. */
  constructor(connection: ClientConnection, timeout = 0) {
    this.connection = connection;
    this.#timeout = timeout;
  }

  call<P extends Params, O extends Outcomes>(
    procedure: Procedure<P, O>,
    input: CallInput<P>,
    options: RequestOptions = {},
  ): Promise<CallResult<P, O>> {
    return this.#alone(this.#limits(options), async (limits) => {
      const answer = new Answer();
      const request = callRequest(procedure, input);
      await this.connection.rpc([request], (token) => answer.take(token), limits);
      return answer.as(procedure);
    });
  }

  /** Calls a procedure and passes its rows to `push`; resolves to what followed them. */
  callInto<P extends Params, O extends Outcomes>(
    procedure: Procedure<P, O>,
    input: CallInput<P>,
    push: (item: StreamedRow<O>) => void,
    options: Limits,
  ): Promise<StreamedEnd<P, O>> {
    return this.#alone(this.#streamLimits(options), async (limits) => {
      const ending = new Ending();
      let set = '';
      const take = (token: Token) => {
        const row = ending.take(token);
        if (token.token === 'columns') set = ending.setOf(procedure);
        // The set is one of the declared ones, and its columns have the declared names.
        if (row !== undefined) push({ set, row } as unknown as StreamedRow<O>);
      };
      await this.connection.rpc([callRequest(procedure, input)], take, limits);
      const [outcome, { code }] = ending.outcomeOf(procedure);
      const returns = typeof code === 'number' ? {} : { returns: ending.status };
      return { outcome, output: ending.outputOf(procedure), ...returns } as unknown as StreamedEnd<P, O>;
    });
  }

  stream<P extends Params, O extends Outcomes>(
    procedure: Procedure<P, O>,
    input: CallInput<P>,
    options: RequestOptions = {},
  ): RowStream<StreamedRow<O>, StreamedEnd<P, O>> {
    return streaming(
      (work) => work(this),
      (session, push, limits) => session.callInto(procedure, input, push, limits),
      options,
    );
  }

  query(text: string, params: QueryParams = {}, options: RequestOptions = {}): Promise<QueryResult> {
    return this.#alone(this.#limits(options), async (limits) => {
      const answer = new QueryAnswer();
      await this.#text(text, params, (token) => answer.take(token), limits);
      return answer.result;
    });
  }

  async select<C extends Columns>(
    columns: C,
    text: string,
    params: QueryParams = {},
    options: RequestOptions = {},
  ): Promise<Row<C>[]> {
    return rowsAs(columns, await this.query(text, params, options));
  }

  /** Runs text and passes its rows to `push`; resolves to the rest of the result. */
  queryInto(
    text: string,
    params: QueryParams,
    push: (item: QueriedRow) => void,
    options: Limits,
  ): Promise<QueryResult> {
    return this.#alone(this.#streamLimits(options), async (limits) => {
      const ending = new Ending();
      const answer = new QueryAnswer();
      const take = (token: Token) => {
        const row = ending.take(token);
        if (row !== undefined) push({ set: ending.sets.length - 1, row });
        else answer.take(token);
      };
      await this.#text(text, params, take, limits);
      return answer.result;
    });
  }

  streamQuery(
    text: string,
    params: QueryParams = {},
    options: RequestOptions = {},
  ): RowStream<QueriedRow, QueryResult> {
    return streaming(
      (work) => work(this),
      (session, push, limits) => session.queryInto(text, params, push, limits),
      options,
    );
  }

  bulkLoad<C extends Columns>(
    target: BulkTarget<C>,
    rows: BulkRows<C>,
    { columns, ...options }: BulkOptions<C> = {},
  ): Promise<number> {
    return this.#alone(this.#limits(options), async (limits) => {
      const plan = bulkPlan(target, rows, columns);
      await this.connection.batch(plan.statement, undefined, limits);
      return this.connection.bulkLoad(plan.columns, plan.rows, limits);
    });
  }

  /** Begins a transaction that includes everything this session does until it ends. */
  begin(isolation: IsolationLevel = 'unchanged', limits: Limits = {}): Promise<void> {
    if (isolation !== 'unchanged') this.isUsed = true;
    return this.#control({ kind: 'begin', isolation, name: '' }, limits);
  }

  commit(limits: Limits = {}): Promise<void> {
    return this.#control({ kind: 'commit', name: '', thenBegin: undefined }, limits);
  }

  rollback(limits: Limits = {}): Promise<void> {
    return this.#control({ kind: 'rollback', name: '', thenBegin: undefined }, limits);
  }

  /** True while no request runs or waits. */
  get isIdle(): boolean {
    return this.#pending.size === 0;
  }

  /** The rows of a stream wait for their reader, unless a request waits behind it. */
  pause(): void {
    if (this.#pending.size === 1) this.connection.pause();
  }

  resume(): void {
    this.connection.resume();
  }

  /** From now on a request must be part of the transaction that was begun, and is cancelled by the signal. */
  keepToTransaction(signal: AbortSignal | undefined): void {
    this.#transaction = { signal };
  }

  /** Resolves when what runs has ended; streams that nobody reads any more are cancelled. */
  async settle(): Promise<void> {
    if (this.isIdle) return;
    this.#leavingStreams?.abort(over());
    await this.#last;
  }

  /** Ends it: later requests are refused, and the connection is closed if one still runs. */
  end(): void {
    this.#isOver = true;
    if (this.isIdle) return;
    // Whoever did not wait for them has nothing left to learn.
    for (const request of this.#pending) request.catch(() => {});
    this.connection.destroy(over(true));
  }

  #control(action: TransactionAction, options: Limits): Promise<void> {
    const limits = { timeout: this.#timeout, ...options };
    return this.#alone(limits, () => this.connection.transaction(action, limits));
  }

  #text(text: string, params: QueryParams, take: (token: Token) => void, limits: Limits): Promise<void> {
    this.isUsed = true;
    if (Object.keys(params).length === 0) return this.connection.batch(text, take, limits);
    return this.connection.rpc([textRequest(text, params)], take, limits);
  }

  #limits({ signal, timeout = this.#timeout }: Limits): Limits {
    return { signal: either(signal, this.#transaction?.signal), timeout };
  }

  #streamLimits({ signal, timeout }: Limits): Limits {
    this.#leavingStreams ??= new AbortController();
    return { signal: either(either(signal, this.#transaction?.signal), this.#leavingStreams.signal), timeout };
  }

  /** Runs one request after those requested before it. */
  #alone<T>(limits: Limits, work: (limits: Limits) => Promise<T>): Promise<T> {
    const request = this.#inTurn(limits, work);
    this.#pending.add(request);
    // The reader of the stream that runs may be waiting for this request.
    if (this.#pending.size > 1) this.connection.resume();
    const remove = () => this.#pending.delete(request);
    request.then(remove, remove);
    return request;
  }

  async #inTurn<T>(limits: Limits, work: (limits: Limits) => Promise<T>): Promise<T> {
    const before = this.#last;
    const turn = Promise.withResolvers<void>();
    this.#last = before.then(() => turn.promise);
    try {
      await unlessAborted(before, limits.signal);
      if (this.#isOver) throw over();
      if (this.#transaction !== undefined && !this.connection.inTransaction) throw transactionOver();
      return await work(limits);
    } finally {
      turn.resolve();
    }
  }
}

const over = (sent = false): ClientError =>
  new ClientError('closed', 'the work that this connection was lent to is over', { sent });

const transactionOver = (): ClientError =>
  new ClientError('protocol', 'the transaction is over: the server or a statement has ended it');

const either = (one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined =>
  one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);

function unlessAborted(done: Promise<unknown>, signal: AbortSignal | undefined): Promise<unknown> {
  if (signal === undefined) return done;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    done.then(() => {
      signal.removeEventListener('abort', onAbort);
      resolve(undefined);
    });
  });
}
