export type { BulkRows, BulkTarget } from './bulk.ts';
export type { BulkOptions, Caller, QueriedRow, RequestOptions, StreamedEnd, StreamedRow } from './caller.ts';
export { Client, type ClientOptions, type TransactionOptions } from './client.ts';
export { ClientError, type ClientErrorCode } from './client-error.ts';
export { kerberos } from './kerberos.ts';
export type {
  ConnectOptions,
  Encryption,
  LocalOptions,
  LocalServer,
  NetworkOptions,
  WindowsProof,
  WindowsSignOn,
} from './options.ts';
export type { PlainRow } from './outcome.ts';
export type { PoolOptions } from './pool.ts';
export { type QueryParams, type QueryResult, typed } from './query.ts';
export type { Retry, RetryOptions } from './retry.ts';
export type { RowStream } from './row-stream.ts';
export type { Session } from './session.ts';
