import type { Row } from '../base/stored.ts';
import type { CallInput, CallResult, Columns, Outcomes, Params, Procedure } from '../procedure/declare.ts';
import type { BulkRows, BulkTarget } from './bulk.ts';
import type { Limits } from './exchange.ts';
import type { PlainRow } from './outcome.ts';
import type { QueryParams, QueryResult } from './query.ts';
import type { RowStream } from './row-stream.ts';

/** Options of one request. */
export interface RequestOptions extends Limits {
  /** True if the request is idempotent, so that it may be sent again after its connection was lost. */
  readonly idempotent?: boolean;
}

/** Options of a bulk load. */
export interface BulkOptions<C extends Columns> extends Limits {
  /** The columns of the rows; all of the table by default. */
  readonly columns?: readonly (keyof C & string)[];
}

type SetsOf<O> = O extends { readonly sets: infer S extends Readonly<Record<string, Columns>> } ? S : never;
type ItemOf<S> =
  S extends Readonly<Record<string, Columns>>
    ? { [N in keyof S]: { readonly set: N; readonly row: Row<S[N]> } }[keyof S]
    : never;
type WithoutSets<R> = R extends unknown ? Omit<R, 'sets'> : never;

/** A row of a streamed call and the name of its result set. */
export type StreamedRow<O extends Outcomes> = ItemOf<SetsOf<O[keyof O]>>;
/** What follows the rows of a streamed call. */
export type StreamedEnd<P extends Params, O extends Outcomes> = WithoutSets<CallResult<P, O>>;

/** A row of streamed T-SQL and the number of its result set, from 0. */
export interface QueriedRow {
  readonly set: number;
  readonly row: PlainRow;
}

/** The operations on a database, over whichever connection. */
export interface Caller {
  /** Calls a declared procedure; resolves to the declared outcome, with all of its rows. */
  call<P extends Params, O extends Outcomes>(
    procedure: Procedure<P, O>,
    input: CallInput<P>,
    options?: RequestOptions,
  ): Promise<CallResult<P, O>>;
  /**
   * Calls a declared procedure and yields its rows as they arrive. In a transaction or session, a request made before
   * the last row waits for it, and the rows up to it are kept in memory.
   */
  stream<P extends Params, O extends Outcomes>(
    procedure: Procedure<P, O>,
    input: CallInput<P>,
    options?: RequestOptions,
  ): RowStream<StreamedRow<O>, StreamedEnd<P, O>>;
  /** Runs T-SQL text, optionally with parameters. */
  query(text: string, params?: QueryParams, options?: RequestOptions): Promise<QueryResult>;
  /** Runs T-SQL text that returns one result set of these columns. */
  select<C extends Columns>(
    columns: C,
    text: string,
    params?: QueryParams,
    options?: RequestOptions,
  ): Promise<Row<C>[]>;
  /** Runs T-SQL text and yields its rows as they arrive. */
  streamQuery(text: string, params?: QueryParams, options?: RequestOptions): RowStream<QueriedRow, QueryResult>;
  /** Loads rows into a table in bulk, all of them or none; resolves to their number. */
  bulkLoad<C extends Columns>(target: BulkTarget<C>, rows: BulkRows<C>, options?: BulkOptions<C>): Promise<number>;
}
