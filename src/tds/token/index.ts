export { type ColumnStatus, columnStatus, readColInfo, writeColInfo } from './col-info.ts';
export { type ColumnInfo, columnFlags, readColMetadata, writeColMetadata } from './col-metadata.ts';
export { currentCommand, type Done, type DoneKind, doneStatus, readDone, writeDone } from './done.ts';
export { type EnvChange, readEnvChange, writeEnvChange } from './env-change.ts';
export { isLarge, lengthOf, sendSteps } from './large-values.ts';
export { LastColumns } from './last-columns.ts';
export { type LoginAck, readFeatureExtAck, readLoginAck, writeFeatureExtAck, writeLoginAck } from './login-ack.ts';
export { readOrder, writeOrder } from './order.ts';
export { ResultWriter, resultWriter } from './result-writer.ts';
export {
  type ReturnValue,
  readReturnValue,
  returnValueSteps,
  writeReturnStatus,
  writeReturnValue,
} from './return-value.ts';
export { RowReader } from './row-reader.ts';
export { readServerMessage, type ServerMessage, writeServerMessage } from './server-message.ts';
export { type SessionStateChange, writeSessionState } from './session-state.ts';
export { readSspi, writeSspi } from './sspi.ts';
export { readTabName, type TableName, writeTabName } from './tab-name.ts';
export { type Token, TokenParser } from './token-parser.ts';
export { tokenTypes } from './token-type.ts';
