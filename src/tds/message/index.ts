export { noHeaders, type RequestHeaders } from './all-headers.ts';
export { BulkLoadParser, writeBulkLoad } from './bulk-load.ts';
export { decodeLogin7, type Feature, featureIds, type Login7, loginFlags } from './login7.ts';
export { type LoginRequest, writeLogin7 } from './login7-writer.ts';
export { decodePrelogin, encryption, type Prelogin, writePrelogin } from './prelogin.ts';
export {
  type CallRequest,
  decodeRpc,
  procedureIds,
  type RpcCall,
  type RpcParam,
  type RpcRequest,
  writeRpc,
} from './rpc.ts';
export { decodeSqlBatch, type SqlBatch, writeSqlBatch } from './sql-batch.ts';
export {
  type Beginning,
  decodeTransactionRequest,
  type IsolationLevel,
  isolationLevels,
  type TransactionAction,
  type TransactionRequest,
  writeTransactionRequest,
} from './transaction-request.ts';
