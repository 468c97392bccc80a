import type { Row } from '../base/stored.ts';
import type { CallInput, CallResult, Columns, Outcomes, Params, Procedure } from '../procedure/declare.ts';
import type { IsolationLevel, TransactionAction } from '../tds/message/transaction-request.ts';
import type { Token } from '../tds/token/index.ts';
import { type BulkRows, type BulkTarget, bulkPlan } from './bulk.ts';
import { callRequest } from './call.ts';
import type { BulkOptions, Caller, QueriedRow, RequestOptions, StreamedEnd, StreamedRow } from './caller.ts';
import type { ClientConnection } from './connection.ts';
import type { Limits } from './exchange.ts';
import { Answer, Ending } from './outcome.ts';
import { QueryAnswer, type QueryParams, type QueryResult, rowsAs, textRequest } from './query.ts';
import type { RowStream } from './row-stream.ts';
import { streaming } from './streaming.ts';

/** One connection with all operations, one request after another. */
export class Session implements Caller {
  readonly connection: ClientConnection;
  /** True once T-SQL may have changed the session: options, temporary tables, a database. */
  isUsed = false;
  readonly #timeout: number;
  #last: Promise<unknown> = Promise.resolve();

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
    return this.#alone(async () => {
      const answer = new Answer();
      const request = callRequest(procedure, input);
      await this.connection.rpc([request], (token) => answer.take(token), this.#limits(options));
      return answer.as(procedure);
    });
  }

  /** Calls a procedure and passes its rows to `push`; resolves to what followed them. */
  callInto<P extends Params, O extends Outcomes>(
    procedure: Procedure<P, O>,
    input: CallInput<P>,
    push: (item: StreamedRow<O>) => void,
    limits: Limits,
  ): Promise<StreamedEnd<P, O>> {
    return this.#alone(async () => {
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
    return this.#alone(async () => {
      const answer = new QueryAnswer();
      await this.#text(text, params, (token) => answer.take(token), this.#limits(options));
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
  queryInto(text: string, params: QueryParams, push: (item: QueriedRow) => void, limits: Limits): Promise<QueryResult> {
    return this.#alone(async () => {
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
    { columns, ...limits }: BulkOptions<C> = {},
  ): Promise<number> {
    return this.#alone(async () => {
      const plan = bulkPlan(target, rows, columns);
      await this.connection.batch(plan.statement, undefined, this.#limits(limits));
      return this.connection.bulkLoad(plan.columns, plan.rows, this.#limits(limits));
    });
  }

  /** Begins a transaction that includes everything this session does until it ends. */
  begin(isolation: IsolationLevel = 'unchanged', limits: Limits = {}): Promise<void> {
    if (isolation !== 'unchanged') this.isUsed = true;
    return this.#transaction({ kind: 'begin', isolation, name: '' }, limits);
  }

  commit(limits: Limits = {}): Promise<void> {
    return this.#transaction({ kind: 'commit', name: '', thenBegin: undefined }, limits);
  }

  rollback(limits: Limits = {}): Promise<void> {
    return this.#transaction({ kind: 'rollback', name: '', thenBegin: undefined }, limits);
  }

  #transaction(action: TransactionAction, limits: Limits): Promise<void> {
    return this.#alone(() => this.connection.transaction(action, this.#limits(limits)));
  }

  #text(text: string, params: QueryParams, take: (token: Token) => void, limits: Limits): Promise<void> {
    this.isUsed = true;
    if (Object.keys(params).length === 0) return this.connection.batch(text, take, limits);
    return this.connection.rpc([textRequest(text, params)], take, limits);
  }

  #limits({ signal, timeout = this.#timeout }: Limits): Limits {
    return { signal, timeout };
  }

  /** Runs one request after those requested before it. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work, work);
    this.#last = run.catch(() => {});
    return run;
  }
}
