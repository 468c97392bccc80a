/**
 * What `granary/client` exports: `Client.create(options)` makes a client, `call(procedure, input)` calls a declared
 * procedure. The declarations are `granary/protocols/…`.
 */
export { SqlError } from './base/messages/sql-error.ts';
export * from './client/index.ts';
export type { CallInput, CallResult, Columns, Procedure } from './procedure/declare.ts';
export { orNull } from './procedure/declare.ts';
export type { IsolationLevel } from './tds/message/transaction-request.ts';
export * as types from './tds/types/index.ts';
